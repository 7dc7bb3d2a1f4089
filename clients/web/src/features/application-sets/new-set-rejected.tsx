import { Alert, Stack } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { textAt } from '@wadi/fields/json-fields.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { PageLink } from '../../components/links.tsx'
import { t } from '../../language/t.ts'

/** Shows why a new set is rejected; one whose name is taken leads to the set that has it. */
export function NewSetRejected({ set, error }: { set: JsonObject | undefined; error: unknown }) {
  const name = textAt(set, 'metadata', 'name')
  const taken = useQuery(
    ApplicationSetService.method.getApplicationSet,
    { namespace: textAt(set, 'metadata', 'namespace'), name },
    { enabled: name !== '', retry: false },
  )
  const stored = taken.data?.applicationSet
  if (!stored) return <ErrorState title={t('ApplicationSet rejected')} error={error} />
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      role="alert"
      title={t('There is an ApplicationSet {name} already', { name })}
    >
      <Stack align="flex-start" gap="sm">
        {t('Give this one another name, or change the one that is there.')}
        <PageLink
          to="/application-sets/$namespace/$name"
          params={{ namespace: textAt(stored, 'metadata', 'namespace'), name }}
          size="sm"
        >
          {t('Open {name}', { name })}
        </PageLink>
      </Stack>
    </Alert>
  )
}
