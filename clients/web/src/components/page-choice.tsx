import { Group, Pagination, Text } from '@mantine/core'
import { t } from '../language/t.ts'

const pageWords = {
  first: t('First page'),
  previous: t('Previous page'),
  next: t('Next page'),
  last: t('Last page'),
}

interface PageChoiceProps {
  total: number
  /** The number of things in words. */
  count: string
  pageSize: number
  page: number
  /** Shows another page; the first one has no number. */
  turn: (page: number | undefined) => void
}

/** The number of things in a list, and the ways to its other pages. */
export function PageChoice({ total, count, pageSize, page, turn }: PageChoiceProps) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {count}
      </Text>
      {total > pageSize && (
        <Pagination
          total={Math.ceil(total / pageSize)}
          value={page}
          onChange={(next) => turn(next === 1 ? undefined : next)}
          getControlProps={(control) => ({ 'aria-label': pageWords[control] })}
        />
      )}
    </Group>
  )
}
