import { Alert, Badge, Stack, Table, Text } from '@mantine/core'
import type {
  ApplicationChange,
  ApplyApplicationSetResponse,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { Warnings } from '../../components/warnings.tsx'
import { changeCounts } from './application-set.ts'
import { SetElement } from './set-element.tsx'
import { t } from '../../language/t.ts'

const maxShown = 200
const colors: Readonly<Record<string, string>> = {
  create: 'teal',
  update: 'blue',
  delete: 'red',
  keep: 'gray',
}

const actionWords: Readonly<Record<string, string>> = {
  create: t('create'),
  update: t('update'),
  delete: t('delete'),
  keep: t('keep'),
}

/** Shows the changes of a dry run of a set to its Applications, and what each of them comes from. */
export function SetPlan({ plan: { changes, withheld, warnings } }: { plan: ApplyApplicationSetResponse }) {
  const moving = changes.filter(({ action }) => action !== 'unchanged')
  return (
    <Alert
      role="status"
      variant="outline"
      title={t('This would be: {changes}', { changes: changeCounts(changes.map(({ action }) => action)) })}
    >
      <Stack gap="xs">
        {withheld !== '' && (
          <Text size="sm" lang="en">
            {withheld}
          </Text>
        )}
        <Warnings title={t('Warnings')} texts={warnings} />
        {moving.length > 0 && <Changes changes={moving} />}
      </Stack>
    </Alert>
  )
}

function Changes({ changes }: { changes: readonly ApplicationChange[] }) {
  return (
    <Table.ScrollContainer minWidth={300}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {[t('Change'), 'Application', t('Element of a generator, and its parameters')].map((label) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.slice(0, maxShown).map(({ name, action, element }) => (
            <Table.Tr key={name} style={{ verticalAlign: 'top' }}>
              <Table.Td>
                <Badge variant="light" tt="none" color={colors[action] ?? 'gray'} miw="max-content">
                  {actionWords[action] ?? action}
                </Badge>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {element && <SetElement element={element} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {changes.length > maxShown && (
        <Text size="sm">
          {t('and {count, plural, one {# more change} other {# more changes}}', {
            count: changes.length - maxShown,
          })}
        </Text>
      )}
    </Table.ScrollContainer>
  )
}
