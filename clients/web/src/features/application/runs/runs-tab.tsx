import { Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { getRouteApi } from '@tanstack/react-router'
import { HistoryIcon } from '@primer/octicons-react/HistoryIcon'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Run } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { Age } from '../../../components/age.tsx'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { PageLink } from '../../../components/links.tsx'
import { Loading } from '../../../components/loading.tsx'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import { RunView } from './run-view.tsx'
import { countsText, millisecondsText } from './run-words.ts'
import { t } from '../../../language/t.ts'
import { GivenText } from '../../../components/given-text.tsx'

const route = getRouteApi('/applications/$namespace/$name')

/** The time between two questions while a run is under way, or about to begin. */
const liveMs = 1_000

interface Row {
  run: Run
  isChosen: boolean
}

const columns: DataTableProps<Row>['columns'] = {
  [t('Run')]: ({ run, isChosen }) => (
    <PageLink
      from="/applications/$namespace/$name"
      search={(before) => ({ ...before, run: run.id })}
      resetScroll={false}
      preload={false}
      size="sm"
      {...(isChosen && { fw: 700, 'aria-current': true })}
    >
      <Age time={run.startedAt} />
    </PageLink>
  ),
  [t('Outcome')]: ({ run }) => <OutcomeBadge outcome={run.outcome} />,
  [t('Took')]: ({ run }) => (run.outcome === 'Running' ? '' : millisecondsText(run.milliseconds)),
  [t('Why')]: ({ run }) => (
    <GivenText text={[...new Set(run.sources.flatMap(({ reasons }) => reasons))].join(', ')} lang="en" />
  ),
  [t('Directories')]: ({ run }) => countsText(run),
}

/** The newest runs of the hydrator for the branch of the Application, and all of one of them; both follow the server. */
export function RunsTab({ name, state }: { name: ApplicationName; state: ApplicationState }) {
  const { run: chosen = '' } = route.useSearch()
  const answer = useQuery(ApplicationService.method.listRuns, name, {
    refetchInterval: ({ state: { data } }) =>
      data?.queue === 'Running' || data?.runs[0]?.outcome === 'Running' ? liveMs : false,
  })
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState
        title={t('The runs cannot be read')}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  const { runs, queue, branch } = answer.data
  if (runs.length === 0)
    return (
      <EmptyState
        icon={<HistoryIcon size={32} />}
        title={t('No run is known')}
        text={t('A run is listed from its beginning. Those that find nothing to do are not.')}
      />
    )
  const shown = chosen === '' ? (runs[0]?.id ?? '') : chosen
  return (
    <Stack>
      <Text size="sm" c="dimmed" role="status">
        {queueText(queue, branch)}
      </Text>
      <DataTable
        label={t('Runs')}
        rows={runs.map((run) => ({ run, isChosen: run.id === shown }))}
        keyOf={({ run }) => run.id}
        columns={columns}
      />
      <RunView name={name} state={state} id={shown} liveMs={liveMs} />
    </Stack>
  )
}

function queueText(queue: string, branch: string): string {
  if (queue === 'Running') return t('Branch {branch} is being hydrated.', { branch })
  if (queue === 'Waiting') return t('Branch {branch} waits in the queue.', { branch })
  if (queue === 'Delayed') return t('Branch {branch} is tried again soon.', { branch })
  return t('Runs of branch {branch}; those that found nothing to do are not listed.', { branch })
}
