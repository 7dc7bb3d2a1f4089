import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ListedOrigin } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { ForgeLink } from '../../../components/forge-links.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { Loading } from '../../../components/loading.tsx'
import type { ApplicationName } from '../application-name.ts'
import { explainedValue } from '../hydrator-metadata.ts'
import { ValueTable } from '../parameters/value-table.tsx'
import type { objectOfKey } from './object-search.ts'
import { t } from '../../../language/t.ts'

interface ObjectOriginProps extends ApplicationName {
  hydratedSha: string
  object: NonNullable<ReturnType<typeof objectOfKey>>
}

/** Shows the template and the values that made an object. */
export function ObjectOrigin(named: ObjectOriginProps) {
  const answer = useQuery(ApplicationService.method.explainObject, named, {
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Stack component="section" aria-label={t('Made from')} gap="xs">
      <Title order={3} size="h5">
        {t('Made from')}
      </Title>
      {answer.isPending && <Loading />}
      {answer.isError && (
        <ErrorState
          title={t('It cannot be found out what made the object')}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      )}
      {answer.data && (
        <>
          <Template listed={answer.data.origin} />
          {answer.data.byText && (
            <Text size="sm" c="dimmed">
              {t('These values are in its text; its template does not say which it reads.')}
            </Text>
          )}
          <ValueTable
            label={t('Values')}
            values={answer.data.values.map(explainedValue)}
            commit={{ repoUrl: answer.data.origin?.repoUrl ?? '', sha: answer.data.origin?.drySha ?? '' }}
          />
          {answer.data.valuesLeftOut > 0 && (
            <Text size="sm" c="dimmed">
              {t('and {count, plural, one {# more value} other {# more values}}', {
                count: answer.data.valuesLeftOut,
              })}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}

function Template({ listed }: { listed: ListedOrigin | undefined }) {
  const { owners = [], template = '', file = '' } = listed?.origin ?? {}
  if (!listed)
    return (
      <Text size="sm" c="dimmed">
        {t('What rendered it does not say from which template or file it comes.')}
      </Text>
    )
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      <GivenText text={[...owners, template].filter(Boolean).join(' › ')} />
      <ForgeLink
        repoUrl={listed.repoUrl}
        place={{ file, sha: listed.drySha, line: 0 }}
        label={t('file {name}', { name: file })}
      />
    </Text>
  )
}
