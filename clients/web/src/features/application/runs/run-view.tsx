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
      <ErrorState title="The run cannot be read" error={answer.error} retry={() => void answer.refetch()} />
    )
  const { run } = answer.data
  if (!run) return null
  return (
    <Stack component="section" aria-label="Run" gap="md">
      <Summary run={run} answer={answer.data} state={state} />
      <RunSteps run={run} />
      {run.sources.length > 0 && (
        <Stack gap="xs">
          <Title order={3} size="h5">
            Dry sources
          </Title>
          <DataTable
            label="Dry sources"
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
  Repository: ({ repoUrl, chart }) => <GivenText text={[repoUrl, chart].filter(Boolean).join(' ')} />,
  Revision: ({ targetRevision }) => <GivenText text={targetRevision} />,
  'Dry commit': ({ drySha, repoUrl, chart }) => (
    <DryCommitId sha={drySha} repoUrl={chart === '' ? repoUrl : ''} />
  ),
  Why: ({ reasons }) => reasons.join(', '),
  Error: ({ message }) => (message === '' ? '' : <GivenText text={message} />),
}

function Summary({ run, answer, state }: { run: Run; answer: GetRunResponse; state: ApplicationState }) {
  const own = run.directories.find(({ path }) => path === answer.directory)
  const ownText = directoryText(run, own)
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Title order={2} size="h4">
          {run.outcome === 'Running' ? 'Running now' : timeText(run.startedAt)}
        </Title>
        <OutcomeBadge outcome={run.outcome} />
      </Group>
      <Group gap="xs" fz="sm">
        <Text size="sm">
          {run.outcome === 'Running' ? 'so far' : 'took'} {millisecondsText(run.milliseconds)}
          {run.queuedMilliseconds > 0 && `, after ${millisecondsText(run.queuedMilliseconds)} in the queue`}
          {run.isHard && ', everything was rendered again'}
        </Text>
        {run.hydratedSha !== '' && (
          <>
            <Text size="sm">hydrated commit</Text>
            <CommitId sha={run.hydratedSha} label="hydrated commit" repoUrl={state.hydratedRepoUrl} />
          </>
        )}
      </Group>
      {ownText !== '' && (
        <Text size="sm">
          <b>This Application:</b> {ownText}
        </Text>
      )}
      {run.message !== '' && (
        <Alert color="red" icon={<XCircleIcon />} title="Error">
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            <GivenText text={run.message} />
          </Text>
        </Alert>
      )}
    </Stack>
  )
}
