import { Button, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { toggled } from './finding-search.ts'
import { severities, severityLook } from '../../components/severity-badge.tsx'

import { locale } from '../../language/catalogue.ts'
import { t } from '../../language/t.ts'
import { byName } from '../../words/by-name.ts'

const route = getRouteApi('/findings')
const numbers = new Intl.NumberFormat(locale)
/** The rules with the most findings; the others are in a list of the filter. */
const shownRules = 6

interface CountsProps {
  counts: Readonly<Record<string, number>>
}

/** Shows the number of findings of each severity; each narrows the list to its severity, and back. */
export function SeverityCounts({ counts }: CountsProps) {
  const { severity: chosen = [] } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Group gap="xs" role="group" aria-label={t('Severities')}>
      {severities.map((severity) => {
        const { label, color, Icon } = severityLook(severity)
        const isChosen = chosen.includes(severity)
        return (
          <Button
            key={severity}
            size="sm"
            variant={isChosen ? 'light' : 'default'}
            color={color}
            aria-pressed={isChosen}
            leftSection={<Icon />}
            onClick={() =>
              void navigate({
                search: ({ page: _page, ...before }) => ({
                  ...before,
                  severity: toggled(before.severity, severity),
                }),
              })
            }
          >
            {label}
            <Text span fw={700} ml={8}>
              {numbers.format(counts[severity] ?? 0)}
            </Text>
          </Button>
        )
      })}
    </Group>
  )
}

/** Shows the rules with the most findings; each narrows the list to its rule, and back. */
export function RuleCounts({ counts }: CountsProps) {
  const { rule: chosen = [] } = route.useSearch()
  const navigate = route.useNavigate()
  const most = rulesByCount(counts).slice(0, shownRules)
  if (most.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label={t('Rules with the most findings')}>
      {most.map(([rule, count]) => (
        <Button
          key={rule}
          size="compact-sm"
          maw="100%"
          variant={chosen.includes(rule) ? 'light' : 'default'}
          aria-pressed={chosen.includes(rule)}
          onClick={() =>
            void navigate({
              search: ({ page: _page, ...before }) => ({ ...before, rule: toggled(before.rule, rule) }),
            })
          }
        >
          {rule}
          <Text span fw={700} size="sm" ml={8}>
            {numbers.format(count)}
          </Text>
        </Button>
      ))}
    </Group>
  )
}

/** Returns rules with the numbers of their findings, the most first. */
export function rulesByCount(counts: Readonly<Record<string, number>>): [rule: string, count: number][] {
  return Object.entries(counts).toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || byName(one, other),
  )
}
