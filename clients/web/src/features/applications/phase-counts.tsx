import { Button, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { phaseLook, phases } from '../../components/phase-badge.tsx'
import { wordOfValue } from './application-filter.ts'

import { locale } from '../../language/catalogue.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/applications')
const numbers = new Intl.NumberFormat(locale)

/** Shows the number of Applications in each phase; each narrows the list to its phase, and back. */
export function PhaseCounts({ counts }: { counts: Readonly<Record<string, number>> }) {
  const { phase: chosen = [] } = route.useSearch()
  const navigate = route.useNavigate()
  const toggle = (word: string) => {
    const next = chosen.includes(word) ? chosen.filter((other) => other !== word) : [...chosen, word]
    void navigate({ search: (before) => ({ ...before, phase: next.length > 0 ? next : undefined }) })
  }
  return (
    <Group gap="xs" role="group" aria-label={t('Phases')}>
      {phases.map((phase) => {
        const { label, color, Icon } = phaseLook(phase)
        const isChosen = chosen.includes(wordOfValue(phase))
        return (
          <Button
            key={phase}
            size="sm"
            variant={isChosen ? 'light' : 'default'}
            color={color}
            aria-pressed={isChosen}
            leftSection={<Icon />}
            onClick={() => toggle(wordOfValue(phase))}
          >
            {label}
            <Text span fw={700} ml={8}>
              {numbers.format(counts[phase] ?? 0)}
            </Text>
          </Button>
        )
      })}
    </Group>
  )
}
