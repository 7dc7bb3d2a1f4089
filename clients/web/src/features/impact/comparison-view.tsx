import { Accordion, Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { InfoIcon } from '@primer/octicons-react/InfoIcon'
import { outcomeText, qualifiedName } from '@wadi/changes/report/report.ts'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { useMemo, useState } from 'react'
import type { EqualChanges } from '../../components/equal-change-note.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { ObjectChanges } from '../../components/object-changes.tsx'
import { usePrinted } from '../../components/use-printed.ts'
import { Warnings } from '../../components/warnings.tsx'
import { t } from '../../language/t.ts'
import { ComparisonProgress } from './comparison-progress.tsx'
import { comparedName, ComparisonSummary } from './comparison-summary.tsx'
import { equalChanges } from './equal-changes.ts'
import type { ComparedRevision } from './impact-search.ts'
import { useComparison } from './use-comparison.ts'

/** The Applications whose changes are printed where they are not open, too; more would be a book. */
const maxPrinted = 50

/** A comparison while it is made, and what it found. */
export function ComparisonView({ compared }: { compared: ComparedRevision }) {
  const { progress, applications, summary, error, isCancelled, cancel, restart } = useComparison(compared)
  const isPrinted = usePrinted()
  const [opened, setOpened] = useState<string[]>([])
  const equal = useMemo(() => equalChanges(applications, summary), [applications, summary])
  if (isCancelled) return <Cancelled name={comparedName(compared)} restart={restart} />
  return (
    <Stack>
      {error !== undefined && (
        <ErrorState
          title={t('{name} cannot be compared', { name: comparedName(compared) })}
          error={error}
          retry={restart}
        />
      )}
      {summary === undefined && error === undefined && (
        <ComparisonProgress progress={progress} cancel={cancel} />
      )}
      {summary && <ComparisonSummary compared={compared} summary={summary} />}
      {summary && <Warnings title={t('About the comparison')} texts={summary.messages} />}
      <Accordion
        variant="separated"
        multiple
        value={isPrinted ? applications.slice(0, maxPrinted).map(qualifiedName) : opened}
        onChange={setOpened}
        {...(isPrinted && { transitionDuration: 0 })}
      >
        {applications.map((application) => (
          <Accordion.Item key={qualifiedName(application)} value={qualifiedName(application)}>
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

function Cancelled({ name, restart }: { name: string; restart: () => void }) {
  return (
    <Alert icon={<InfoIcon />} title={t('The comparison of {name} was cancelled', { name })}>
      <Button variant="default" size="xs" onClick={restart}>
        {t('Compare again')}
      </Button>
    </Alert>
  )
}

const outcomeWords: Readonly<Record<string, string>> = {
  changed: t('changed'),
  unchanged: t('unchanged'),
  added: t('added'),
  removed: t('removed'),
  failed: t('failed'),
}

function Heading({ application }: { application: ApplicationChanges }) {
  const { name, branch, outcome, objects, errors, warnings, failedBefore } = application
  const counts = [
    errors.length > 0
      ? t('{count, plural, one {# error} other {# errors}}', { count: errors.length })
      : t('{count, plural, one {# object} other {# objects}}', { count: objects.length }),
    ...(warnings.length > 0
      ? [t('{count, plural, one {# warning} other {# warnings}}', { count: warnings.length })]
      : []),
  ]
  const word = outcomeWords[outcome] ?? outcome
  // The badge says the outcome itself.
  const details = outcomeText(application).slice(`${outcome}, `.length)
  return (
    <Group gap="sm">
      <Text fw={600}>{name}</Text>
      <Badge variant="light" tt="none" color={outcome === 'failed' ? 'red' : 'blue'}>
        {failedBefore ? t('{outcome}, also before', { outcome: word }) : word}
      </Badge>
      <Text size="sm" c="dimmed">
        <GivenText text={branch} />, {counts.join(', ')}
      </Text>
      {details !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <GivenText text={details} lang="en" />
        </Text>
      )}
    </Group>
  )
}

interface ApplicationChangeProps {
  application: ApplicationChanges
  equal: EqualChanges
}

/** Shows the changes of one Application, object by object. */
function ApplicationChange({ application, equal }: ApplicationChangeProps) {
  const { objects, errors, warnings } = application
  // One that would be renamed is there under its name of now.
  const { namespace, name } = application.renamedFrom ?? application
  return (
    <Stack>
      <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
        {t('Show {name}', { name })}
      </PageLink>
      <Warnings title={t('It cannot be hydrated')} texts={errors} />
      <Warnings title={t('New warnings')} texts={warnings} />
      <ObjectChanges objects={objects} equal={equal} />
    </Stack>
  )
}
