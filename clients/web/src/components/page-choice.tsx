import { Group, Pagination, Text } from '@mantine/core'
import { counted } from '../words/counted.ts'

interface PageChoiceProps {
  total: number
  /** The name of one, and of several. */
  nouns: readonly [string, string]
  pageSize: number
  page: number
  /** Shows another page; the first one has no number. */
  turn: (page: number | undefined) => void
}

/** The number of things in a list, and the ways to its other pages. */
export function PageChoice({ total, nouns, pageSize, page, turn }: PageChoiceProps) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {counted(total, ...nouns)}
      </Text>
      {total > pageSize && (
        <Pagination
          total={Math.ceil(total / pageSize)}
          value={page}
          onChange={(next) => turn(next === 1 ? undefined : next)}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Group>
  )
}
