import { Badge } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { EyeIcon } from '@primer/octicons-react/EyeIcon'
import { NoEntryIcon } from '@primer/octicons-react/NoEntryIcon'
import { t } from '../language/t.ts'

const looks = {
  deny: { label: t('Denied'), color: 'red', Icon: NoEntryIcon },
  warn: { label: t('Warning'), color: 'orange', Icon: AlertIcon },
  audit: { label: t('Audit'), color: 'blue', Icon: EyeIcon },
  waived: { label: t('Waived'), color: 'gray', Icon: CheckCircleIcon },
} as const

/** The severities in the order in which they are listed; the last one is of findings that a waiver covers. */
export const severities = ['deny', 'warn', 'audit', 'waived'] as const

/** The word, the colour and the icon of a severity. */
export function severityLook(severity: string) {
  return looks[severities.find((known) => known === severity) ?? 'audit']
}

/** A severity as icon and word. */
export function SeverityBadge({ severity }: { severity: string }) {
  const { label, color, Icon } = severityLook(severity)
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={12} />} miw="max-content">
      {label}
    </Badge>
  )
}
