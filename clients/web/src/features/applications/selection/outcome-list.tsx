import { Group, List, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { CheckIcon } from '@primer/octicons-react/CheckIcon'
import { DotIcon } from '@primer/octicons-react/DotIcon'
import { XIcon } from '@primer/octicons-react/XIcon'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { GivenText } from '../../../components/given-text.tsx'
import { ErrorText } from '../../../components/error-text.tsx'
import { rowKey } from '../application-pages.ts'
import type { CallOutcome } from './use-calls.ts'
import { t } from '../../../language/t.ts'

interface OutcomeListProps {
  rows: readonly ApplicationSummary[]
  outcomes: ReadonlyMap<string, CallOutcome>
  /** Those of the rows that have another version now. */
  changed: readonly ApplicationSummary[]
  /** Says of an Application what concerns it; empty for nothing. */
  textOf: (row: ApplicationSummary) => string
}

/** Names Applications, each with what became of it. */
export function OutcomeList({ rows, outcomes, changed, textOf }: OutcomeListProps) {
  return (
    <List
      size="sm"
      spacing={6}
      mah="40vh"
      style={{ overflowY: 'auto', overflowWrap: 'anywhere' }}
      listStyleType="none"
      // The keyboard scrolls a long one.
      tabIndex={0}
      aria-label={t('Applications')}
    >
      {rows.map((row) => (
        <List.Item key={rowKey(row)}>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <OutcomeMark outcome={outcomes.get(rowKey(row))} />
            <div>
              <Text size="sm" fw={600}>
                {row.namespace === 'argocd'
                  ? row.name
                  : t('{name} in {place}', { name: row.name, place: row.namespace })}
              </Text>
              <OutcomeText text={textOf(row)} outcome={outcomes.get(rowKey(row))} />
              {changed.includes(row) && (
                <Text size="sm" role="status">
                  {t('Changed meanwhile')}
                </Text>
              )}
            </div>
          </Group>
        </List.Item>
      ))}
    </List>
  )
}

function OutcomeMark({ outcome }: { outcome: CallOutcome | undefined }) {
  const look = { variant: 'light', size: 20 } as const
  if (outcome === undefined)
    return (
      <ThemeIcon {...look} color="gray">
        <DotIcon size={12} />
      </ThemeIcon>
    )
  if (outcome.isDone)
    return (
      <ThemeIcon {...look} color="teal">
        <CheckIcon size={12} />
        <VisuallyHidden>{t('Done')}</VisuallyHidden>
      </ThemeIcon>
    )
  return (
    <ThemeIcon {...look} color="red">
      <XIcon size={12} />
      <VisuallyHidden>{t('Not done')}</VisuallyHidden>
    </ThemeIcon>
  )
}

function OutcomeText({ text, outcome }: { text: string; outcome: CallOutcome | undefined }) {
  if (outcome && !outcome.isDone)
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        <ErrorText error={outcome.error} />
      </Text>
    )
  if (text === '') return null
  return (
    <Text size="sm" c="dimmed">
      <GivenText text={text} />
    </Text>
  )
}
