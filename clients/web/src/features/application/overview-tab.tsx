import { Alert, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { InfoIcon } from '@primer/octicons-react/InfoIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import type { GetApplicationResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { Age } from '../../components/age.tsx'
import { DryCommitId } from '../../components/dry-commit-id.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { KeptTools } from '../../components/kept-tools.tsx'
import { PageLink } from '../../components/links.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { t } from '../../language/t.ts'
import { durationText } from '../../words/age.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import { CommitProof } from './commit-proof.tsx'
import { HydrationDrawing } from './hydration-drawing.tsx'

interface OverviewTabProps {
  name: ApplicationName
  state: ApplicationState
  answer: GetApplicationResponse
}

/** From the dry commit to the hydrated one, how the newest run went, and what needs somebody's eyes. */
export function OverviewTab({ name, state, answer }: OverviewTabProps) {
  if (!state.isHydrated)
    return (
      <Alert icon={<InfoIcon />} title={t('This Application is not hydrated')}>
        {t('It has no spec.sourceHydrator: it is stored for others, such as Argo CD.')}
      </Alert>
    )
  return (
    <Stack>
      <Belonging state={state} />
      <HydrationDrawing name={name} state={state} branches={answer.branches} />
      <KeptTools tools={answer.keptTools} sources={state.sources} />
      <LastOperation state={state} />
      {state.proof && <CommitProof proof={state.proof} />}
      {state.foreignChange !== '' && (
        <Alert color="orange" icon={<AlertIcon />} title={t('Branch changed outside Wadi')}>
          <GivenText text={state.foreignChange} lang="en" />
        </Alert>
      )}
      <Warnings title={t('Warnings of the newest render')} texts={state.warnings} />
      <Warnings title={t('Findings of gates')} texts={state.findings} />
      {state.conditions.map(({ type, message }) => (
        <Alert key={type + message} color="orange" icon={<AlertIcon />} title={type}>
          <Text size="sm">
            <GivenText text={message} lang="en" />
          </Text>
        </Alert>
      ))}
    </Stack>
  )
}

/** Shows its project and set, and the namespace and cluster for which its manifests are meant. */
function Belonging({ state: { project, applicationSet, destination } }: { state: ApplicationState }) {
  return (
    <Group gap="0.25rem 1.5rem" fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <span>{t('Project: {name}', { name: project })}</span>
      {applicationSet !== '' && (
        <span>
          ApplicationSet:{' '}
          <PageLink to="/applications" search={{ set: applicationSet }} size="sm">
            {applicationSet}
          </PageLink>
        </span>
      )}
      {destination !== '' && <span>{t('Destination: {place}', { place: destination })}</span>}
    </Group>
  )
}

/** Shows the newest run: its phase, its times and its errors, each on a line. */
function LastOperation({ state }: { state: ApplicationState }) {
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
