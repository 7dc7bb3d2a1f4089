import { Alert, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { Age } from '../../components/age.tsx'
import { DryCommitId } from '../../components/dry-commit-id.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { durationText } from '../../words/age.ts'
import type { ApplicationState } from './application-state.ts'

/** Shows the newest run: its phase, its times and its errors, each on a line. */
export function LastOperation({ state }: { state: ApplicationState }) {
  const { phase, startedAt, finishedAt, operationDrySha, message } = state
  const isRunning = phase === 'Hydrating'
  return (
    <Paper withBorder p="md" component="section" aria-label="Newest run">
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={2} size="h4">
            {isRunning ? 'Running now' : 'Newest run'}
          </Title>
          <PhaseBadge phase={phase} />
        </Group>
        {phase === '' ? (
          <Text size="sm">No run has begun. It begins when the branch is free, usually within seconds.</Text>
        ) : (
          <Group gap="xs" fz="sm">
            <Text size="sm">dry commit</Text>
            <DryCommitId sha={operationDrySha} repoUrl={state.dryRepoUrl} />
            <Text size="sm">
              began <Age time={startedAt} />
              {finishedAt !== '' && `, took ${durationText(startedAt, finishedAt)}`}
            </Text>
          </Group>
        )}
        {isRunning && <Progress value={100} animated aria-label="Hydration is under way" />}
        {message !== '' && phase === 'Failed' && (
          <Alert color="red" icon={<XCircleIcon />} title="Error">
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              <GivenText text={message} />
            </Text>
          </Alert>
        )}
      </Stack>
    </Paper>
  )
}
