import { Stack, Table, Text, Title } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import {
  ApplicationSetService,
  type GeneratorElement,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { PageLink } from '../../components/links.tsx'
import { Loading } from '../../components/loading.tsx'
import { textAt } from '@wadi/fields/json-fields.ts'
import { editableObject } from '../../words/object-text.ts'
import { SetElement } from './set-element.tsx'
import { t } from '../../language/t.ts'

/** Generating asks repositories and forges. */
const freshMs = 60_000
const maxShown = 200

/** Shows the Applications that a stored set generates now, each with the element of a generator, and its parameters, that it comes from. */
export function SetElements({ set }: { set: JsonObject }) {
  const answer = useQuery(
    ApplicationSetService.method.generateApplications,
    { applicationSet: editableObject(set) },
    { staleTime: freshMs },
  )
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState title={t('Generation failed')} error={answer.error} retry={() => void answer.refetch()} />
    )
  const { applications, elements } = answer.data
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('{count, plural, one {# Application generated now} other {# Applications generated now}}', {
          count: applications.length,
        })}
      </Title>
      {applications.length > 0 && (
        <Table.ScrollContainer minWidth={300}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                {['Application', t('Element of a generator, and its parameters')].map((label) => (
                  <Table.Th key={label}>{label}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {applications.slice(0, maxShown).map((application, index) => (
                <Row
                  key={textAt(application, 'metadata', 'name')}
                  application={application}
                  element={elements[index]}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {applications.length > maxShown && (
        <Text size="sm" c="dimmed">
          {t('and {count, plural, one {# more Application} other {# more Applications}}', {
            count: applications.length - maxShown,
          })}
        </Text>
      )}
    </Stack>
  )
}

function Row({ application, element }: { application: JsonObject; element: GeneratorElement | undefined }) {
  const [namespace, name] = [
    textAt(application, 'metadata', 'namespace') || 'argocd',
    textAt(application, 'metadata', 'name'),
  ]
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
          {name}
        </PageLink>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{element && <SetElement element={element} />}</Table.Td>
    </Table.Tr>
  )
}
