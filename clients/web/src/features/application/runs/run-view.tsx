import { Alert, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { GetRunResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/runs_pb.ts'
import type { Run, RunSource } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { CommitId } from '../../../components/commit-id.tsx'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { DryCommitId } from '../../../components/dry-commit-id.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { Loading } from '../../../components/loading.tsx'
import { timeText } from '../../../words/age.ts'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import { RunDirectories } from './run-directories.tsx'
import { RunEvents } from './run-events.tsx'
import { RunSteps } from './run-steps.tsx'
import { directoryText, millisecondsText } from './run-words.ts'
import { t } from '../../../language/t.ts'

interface RunViewProps {
  name: ApplicationName
  state: ApplicationState
  id: string
  /** The time between two questions while the run is under way. */
  liveMs: number
}

/** All of one run: why it ran, its steps, what became of directories, and events. */
export function RunView({ name, state, id, liveMs }: RunViewProps) {
  const answer = useQuery(
    ApplicationService.method.getRun,
    { ...name, id },
    {
      refetchInterval: ({ state: { data } }) => (data?.run?.outcome === 'Running' ? liveMs : false),
    },
  )
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState
        title={t('The run cannot be read')}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  const { run } = answer.data
  if (!run) return null
  return (
    <Stack component="section" aria-label={t('Run')} gap="md">
      <Summary run={run} answer={answer.data} state={state} />
      <RunSteps run={run} />
      {run.sources.length > 0 && (
        <Stack gap="xs">
          <Title order={3} size="h5">
            {t('Dry sources')}
          </Title>
          <DataTable
            label={t('Dry sources')}
            rows={run.sources}
            keyOf={({ repoUrl, targetRevision, chart }) => `${repoUrl} ${targetRevision} ${chart}`}
            columns={sourceColumns}
          />
        </Stack>
      )}
      <RunDirectories run={run} hidden={answer.data.hidden} />
      <RunEvents events={run.events} />
    </Stack>
  )
}

const sourceColumns: DataTableProps<RunSource>['columns'] = {
  [t('Repository')]: ({ repoUrl, chart }) => <GivenText text={[repoUrl, chart].filter(Boolean).join(' ')} />,
  [t('Revision')]: ({ targetRevision }) => <GivenText text={targetRevision} />,
  [t('Dry commit')]: ({ drySha, repoUrl, chart }) => (
    <DryCommitId sha={drySha} repoUrl={chart === '' ? repoUrl : ''} />
  ),
  [t('Why')]: ({ reasons }) => <GivenText text={reasons.join(', ')} lang="en" />,
  [t('Error')]: ({ message }) => (message === '' ? '' : <GivenText text={message} lang="en" />),
}

function timesOf(run: Run): string[] {
  const duration = millisecondsText(run.milliseconds)
  const queued = millisecondsText(run.queuedMilliseconds)
  return [
    run.outcome === 'Running' ? t('so far {duration}', { duration }) : t('took {duration}', { duration }),
    ...(run.queuedMilliseconds > 0 ? [t('after {duration} in the queue', { duration: queued })] : []),
    ...(run.isHard ? [t('everything was rendered again')] : []),
  ]
}

function Summary({ run, answer, state }: { run: Run; answer: GetRunResponse; state: ApplicationState }) {
  const own = run.directories.find(({ path }) => path === answer.directory)
  const ownText = directoryText(run, own)
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Title order={2} size="h4">
          {run.outcome === 'Running' ? t('Running now') : timeText(run.startedAt)}
        </Title>
        <OutcomeBadge outcome={run.outcome} />
      </Group>
      <Group gap="xs" fz="sm">
        <Text size="sm">{timesOf(run).join(', ')}</Text>
        {run.hydratedSha !== '' && (
          <>
            <Text size="sm">{t('hydrated commit')}</Text>
            <CommitId sha={run.hydratedSha} label={t('hydrated commit')} repoUrl={state.hydratedRepoUrl} />
          </>
        )}
      </Group>
      {ownText !== '' && (
        <Text size="sm">
          <b>{t('This Application:')}</b> {ownText}
        </Text>
      )}
      {run.message !== '' && (
        <Alert color="red" icon={<XCircleIcon />} title={t('Error')}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            <GivenText text={run.message} lang="en" />
          </Text>
        </Alert>
      )}
    </Stack>
  )
}
