import { Accordion, Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { InfoIcon } from '@primer/octicons-react/InfoIcon'
import type { ApplicationChanges, ChangesSummary } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { outcomeText } from '@wadi/changes/report/report.ts'
import { useMemo } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { counted } from '../../words/counted.ts'
import { toolVersionsText } from '../../words/tool-title.ts'
import { GivenText } from '../../components/given-text.tsx'
import { visibleText } from '../../words/visible-text.ts'
import { ApplicationChange } from './application-change.tsx'
import { ComparisonProgress } from './comparison-progress.tsx'
import { equalChanges } from './equal-changes.ts'
import type { ComparedRevision } from './impact-search.ts'
import { useComparison } from './use-comparison.ts'

/** A comparison while it is made, and what it found. */
export function ComparisonView({ compared }: { compared: ComparedRevision }) {
  const { progress, applications, summary, error, isCancelled, cancel, restart } = useComparison(compared)
  const equal = useMemo(() => equalChanges(applications, summary), [applications, summary])
  if (isCancelled) return <Cancelled name={nameOf(compared)} restart={restart} />
  return (
    <Stack>
      {error !== undefined && (
        <ErrorState title={`${nameOf(compared)} cannot be compared`} error={error} retry={restart} />
      )}
      {summary === undefined && error === undefined && (
        <ComparisonProgress progress={progress} cancel={cancel} />
      )}
      {summary && <Summary summary={summary} tools={compared.tools} />}
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

/** Returns what is compared in words: `HEAD with Helm 4.3.1`. */
function nameOf({ revision, tools }: ComparedRevision): string {
  return visibleText([revision, toolVersionsText(tools)].filter(Boolean).join(' with '))
}

function Cancelled({ name, restart }: { name: string; restart: () => void }) {
  return (
    <Alert icon={<InfoIcon />} title={`The comparison of ${name} was cancelled`}>
      <Button variant="default" size="xs" onClick={restart}>
        Compare again
      </Button>
    </Alert>
  )
}

interface SummaryProps {
  summary: ChangesSummary
  tools: ComparedRevision['tools']
}

function Summary({ summary, tools }: SummaryProps) {
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
      {Object.keys(tools).length > 0 && (
        <Text size="sm" mt={4}>
          <Code>{`tools: {${pinsOf(tools)}}`}</Code> in <Code>wadi.yaml</Code> at the root of the repository
          chooses {toolVersionsText(tools)}.
        </Text>
      )}
    </Alert>
  )
}

/** Returns the versions as `tools` of `wadi.yaml` has them. */
function pinsOf(tools: ComparedRevision['tools']): string {
  return Object.entries(tools)
    .map(([name, version]) => `${name}: ${version}`)
    .join(', ')
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
