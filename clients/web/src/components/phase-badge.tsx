import { Badge } from '@mantine/core'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { CircleIcon } from '@primer/octicons-react/CircleIcon'
import { SyncIcon } from '@primer/octicons-react/SyncIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { t } from '../language/t.ts'

const looks = {
  Hydrated: { label: t('Hydrated'), color: 'teal', Icon: CheckCircleIcon },
  Hydrating: { label: t('Hydrating'), color: 'blue', Icon: SyncIcon },
  Failed: { label: t('Failed'), color: 'red', Icon: XCircleIcon },
  '': { label: t('Not hydrated'), color: 'gray', Icon: CircleIcon },
} as const

/** The phases of a hydration in the order in which they are listed; the empty one is before the first run. */
export const phases = ['Failed', 'Hydrating', 'Hydrated', ''] as const

/** The word, the colour and the icon of a phase. */
export function phaseLook(phase: string) {
  return looks[isPhase(phase) ? phase : '']
}

function isPhase(phase: string): phase is keyof typeof looks {
  return phase in looks
}

/** A phase as icon and word. */
export function PhaseBadge({ phase }: { phase: string }) {
  const { label, color, Icon } = phaseLook(phase)
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={12} />} miw="max-content">
      {label}
    </Badge>
  )
}
