import { Alert, Group, Stack, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { InfoIcon } from '@primer/octicons-react/InfoIcon'
import type { GetApplicationResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationState } from './application-state.ts'
import { KeptTools } from '../../components/kept-tools.tsx'
import { PageLink } from '../../components/links.tsx'
import { CommitProof } from './commit-proof.tsx'
import { HydrationDrawing } from './hydration-drawing.tsx'
import { LastOperation } from './last-operation.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { Warnings } from '../../components/warnings.tsx'
import type { ApplicationName } from './application-name.ts'
import { t } from '../../language/t.ts'

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
