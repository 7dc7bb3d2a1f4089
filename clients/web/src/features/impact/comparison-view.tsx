import { Accordion, Alert, Badge, Group, Progress as ProgressBar, Stack, Text } from '@mantine/core'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import type {
  ApplicationChanges,
  ChangesSummary,
  Progress,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { outcomeText } from '@wadi/changes/report/report.ts'
import { useMemo } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { counted } from '../../words/counted.ts'
import { GivenText } from '../../components/given-text.tsx'
import { ApplicationChange } from './application-change.tsx'
import { equalChanges } from './equal-changes.ts'
import { useComparison } from './use-comparison.ts'

/** A comparison while it is made, and what it found. */
export function ComparisonView({ repository, revision }: { repository: string; revision: string }) {
  const { progress, applications, summary, error } = useComparison(repository, revision)
  const equal = useMemo(() => equalChanges(applications, summary), [applications, summary])
  return (
    <Stack>
      {error !== undefined && <ErrorState title={`${revision} cannot be compared`} error={error} />}
      {summary === undefined && error === undefined && <UnderWay progress={progress} />}
      {summary && <Summary summary={summary} />}
      {summary && <Warnings title="About the comparison" texts={summary.messages} />}
      <Accordion variant="separated" multiple>
        {applications.map((application) => (
          <Accordion.Item
            key={`${application.namespace}/${application.name}`}
            value={`${application.namespace}/${application.name}`}
          >
            <Accordion.Control>
              <Heading application={application} />
            </Accordion.Control>
            <Accordion.Panel>
              <ApplicationChange application={application} equal={equal} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  )
}

function UnderWay({ progress }: { progress: Progress | undefined }) {
  const { phase = 'resolve', done = 0, total = 0 } = progress ?? {}
  const words = { resolve: 'Resolving the revision', inspect: 'Inspecting sources', render: 'Rendering' }
  const label = Object.hasOwn(words, phase) ? words[phase as keyof typeof words] : phase
  return (
    <Stack gap={4} role="status">
      <Text size="sm">
        {label}
        {total > 0 && `, ${done} of ${total}`}
      </Text>
      <ProgressBar value={total > 0 ? (100 * done) / total : 100} animated aria-label={label} />
    </Stack>
  )
}

function Summary({ summary }: { summary: ChangesSummary }) {
  const { changed, added, removed, failed, unchanged, branches, hidden, elsewhere } = summary
  const counts = [
    `${changed} changed`,
    `${added} added`,
    `${removed} removed`,
    `${failed} failed`,
    `${unchanged} unchanged`,
  ]
  const others = [
    hidden > 0 ? `Not compared, as you may not see them: ${hidden}.` : '',
    elsewhere > 0
      ? `Not compared, as they follow another revision than ${summary.target}: ${elsewhere}.`
      : '',
  ]
  return (
    <Alert
      color={failed > 0 ? 'red' : 'teal'}
      icon={failed > 0 ? <XCircleIcon /> : <CheckCircleIcon />}
      title={
        branches === 0 ? 'No branch would change' : `${counted(branches, 'branch', 'branches')} would change`
      }
    >
      <Text size="sm">
        Applications: {counts.join(', ')}. {others.join(' ')}
      </Text>
    </Alert>
  )
}

function Heading({ application }: { application: ApplicationChanges }) {
  const { name, branch, outcome, objects, errors, warnings, failedBefore } = application
  const counts = [
    errors.length > 0 ? counted(errors.length, 'error') : counted(objects.length, 'object'),
    ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
  ]
  // The badge says the outcome itself.
  const details = outcomeText(application).slice(`${outcome}, `.length)
  return (
    <Group gap="sm">
      <Text fw={600}>{name}</Text>
      <Badge variant="light" tt="none" color={outcome === 'failed' ? 'red' : 'blue'}>
        {failedBefore ? `${outcome}, also before` : outcome}
      </Badge>
      <Text size="sm" c="dimmed">
        <GivenText text={branch} />, {counts.join(', ')}
      </Text>
      {details !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <GivenText text={details} />
        </Text>
      )}
    </Group>
  )
}
