import { Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { SlidersIcon } from '@primer/octicons-react/SlidersIcon'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import { useRight } from '../../../server/rights.ts'
import type { ApplicationName, SourceName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import { DecidedValues, ValuesOfSource } from './decided-values.tsx'
import { ParametersForm } from './parameters-form.tsx'
import { t } from '../../../language/t.ts'

/** The parameters of each source of an Application, and what decided its manifests. */
export function ParametersTab({ name, state }: { name: ApplicationName; state: ApplicationState }) {
  const choices = sourceChoices(state)
  const hasSeveral = choices.length > 1
  const [chosen, choose] = useState(hasSeveral ? (choices[0]?.value ?? '0') : '0')
  const source = { ...name, sourcePosition: Number(chosen) }
  return (
    <Stack gap="xl">
      {hasSeveral && (
        <Select
          label={t('Dry source')}
          data={choices}
          value={chosen}
          onChange={(value) => choose(value ?? chosen)}
          allowDeselect={false}
          maw={480}
        />
      )}
      <SourceParameters key={chosen} name={source} project={state.project} />
      {hasSeveral ? <ValuesOfSource name={source} /> : <DecidedValues name={name} state={state} />}
    </Stack>
  )
}

/** The sources with manifests, which are those that take parameters. */
function sourceChoices({ sources }: ApplicationState) {
  return sources.flatMap(({ path, repoUrl }, index) =>
    path === ''
      ? []
      : [
          {
            value: String(index + 1),
            label: `${index + 1}: ${t('{name} of {place}', { name: path, place: repoUrl })}`,
          },
        ],
  )
}

/** The parameters of a source as a form; the sections are the groups that its tool announces. */
function SourceParameters({ name, project }: { name: SourceName; project: string }) {
  const answer = useQuery(ApplicationService.method.getParameters, name)
  const mayEdit = useRight('applications', 'update', `${project}/${name.name}`)
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState
        title={t('The parameters cannot be read')}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  const { parameters, warnings } = answer.data
  if (parameters.length === 0) return <NoParameters warnings={warnings} />
  return <ParametersForm name={name} answer={answer.data} mayEdit={mayEdit} />
}

function NoParameters({ warnings }: { warnings: readonly string[] }) {
  return (
    <EmptyState
      icon={<SlidersIcon size={32} />}
      title={t('No parameters to set here')}
      text={
        warnings.length === 0
          ? t('The tool that renders this source takes none.')
          : warnings.map((warning) => (
              <Text key={warning} lang="en">
                {warning}
              </Text>
            ))
      }
    />
  )
}
