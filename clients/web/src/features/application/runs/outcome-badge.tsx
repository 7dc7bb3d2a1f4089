import { Badge } from '@mantine/core'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { DashIcon } from '@primer/octicons-react/DashIcon'
import { SyncIcon } from '@primer/octicons-react/SyncIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { t } from '../../../language/t.ts'

const looks = {
  Running: { color: 'blue', Icon: SyncIcon },
  Hydrated: { color: 'teal', Icon: CheckCircleIcon },
  Failed: { color: 'red', Icon: XCircleIcon },
} as const

const words: Readonly<Record<string, string>> = {
  Running: t('Running'),
  Hydrated: t('Hydrated'),
  Failed: t('Failed'),
  Unchanged: t('Unchanged'),
}

/** The outcome of a run as icon and word. */
export function OutcomeBadge({ outcome }: { outcome: string }) {
  const { color, Icon } = isKnown(outcome) ? looks[outcome] : { color: 'gray', Icon: DashIcon }
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={12} />} miw="max-content">
      {words[outcome] ?? outcome}
    </Badge>
  )
}

function isKnown(outcome: string): outcome is keyof typeof looks {
  return Object.hasOwn(looks, outcome)
}
