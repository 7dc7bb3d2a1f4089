import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationName, SourceName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import { type DecidedValue, decidedValues, hydratorMetadata } from '../hydrator-metadata.ts'
import { type ShownCommit, ValueTable } from './value-table.tsx'
import { t } from '../../../language/t.ts'

const maxShown = 200

const nowhere: ShownCommit = { repoUrl: '', sha: '' }

/** Shows where each value that decided the hydrated manifests is written, and the values that it overrode, from their record. */
export function DecidedValues({ name, state }: { name: ApplicationName; state: ApplicationState }) {
  const { data } = useQuery(ApplicationService.method.getManifests, name)
  const { decided } = hydratorMetadata(data?.metadata ?? '')
  const commit = { repoUrl: state.dryRepoUrl, sha: state.drySha }
  return <Values title={t('What decided the manifests')} decided={decided} commit={commit} />
}

/** Shows where each value of one of several dry sources is written at its newest commit, as the record of the manifests has those of all together. */
export function ValuesOfSource({ name }: { name: SourceName }) {
  const { data } = useQuery(ApplicationService.method.getParameters, { ...name, explain: true })
  return (
    <Values
      title={t('Where the values of this source come from')}
      decided={decidedValues(data?.explained ?? [])}
      commit={nowhere}
    />
  )
}

interface ValuesProps {
  title: string
  decided: readonly DecidedValue[]
  commit: ShownCommit
}

function Values({ title, decided, commit }: ValuesProps) {
  if (decided.length === 0) return null
  const shown = Map.groupBy(decided.slice(0, maxShown), ({ of }) => of)
  return (
    <Stack component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {[...shown].map(([of, values]) => (
        <div key={of}>
          <Text size="sm" c="dimmed">
            {of}
          </Text>
          <ValueTable label={of} values={values} commit={commit} />
        </div>
      ))}
      {decided.length > maxShown && (
        <Text size="sm" c="dimmed">
          {t('and {count, plural, one {# more value} other {# more values}}', {
            count: decided.length - maxShown,
          })}
        </Text>
      )}
    </Stack>
  )
}
