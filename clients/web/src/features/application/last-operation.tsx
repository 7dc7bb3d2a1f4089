import { Alert, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { Age } from '../../components/age.tsx'
import { DryCommitId } from '../../components/dry-commit-id.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { durationText } from '../../words/age.ts'
import type { ApplicationState } from './application-state.ts'
import { t } from '../../language/t.ts'

/** Shows the newest run: its phase, its times and its errors, each on a line. */
export function LastOperation({ state }: { state: ApplicationState }) {
  const { phase, startedAt, finishedAt, operationDrySha, message } = state
  const isRunning = phase === 'Hydrating'
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Newest run')}>
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={2} size="h4">
            {isRunning ? t('Running now') : t('Newest run')}
          </Title>
          <PhaseBadge phase={phase} />
        </Group>
        {phase === '' ? (
          <Text size="sm">
            {t('No run has begun. It begins when the branch is free, usually within seconds.')}
          </Text>
        ) : (
          <Group gap="xs" fz="sm">
            <Text size="sm">{t('dry commit')}</Text>
            <DryCommitId sha={operationDrySha} repoUrl={state.dryRepoUrl} />
            <Text size="sm">
              {t.rich('began <age></age>', { age: <Age time={startedAt} /> })}
              {finishedAt !== '' &&
                `, ${t('took {duration}', { duration: durationText(startedAt, finishedAt) })}`}
            </Text>
          </Group>
        )}
        {isRunning && <Progress value={100} animated aria-label={t('Hydration is under way')} />}
        {message !== '' && phase === 'Failed' && (
          <Alert color="red" icon={<XCircleIcon />} title={t('Error')}>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              <GivenText text={message} lang="en" />
            </Text>
          </Alert>
        )}
      </Stack>
    </Paper>
  )
}
