import { Box, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './data-cards.module.css'
import type { DataTableProps } from './data-table.tsx'
import { shownCell } from './given-text.tsx'

/** Rows as one card for each, where there is no room for a table: the first column is the heading of the card. */
export function DataCards<Row>({ label, rows, keyOf, columns }: DataTableProps<Row>) {
  const [heading, ...others] = Object.entries(columns)
  return (
    <Stack component="ul" gap="sm" m={0} p={0} aria-label={label}>
      {rows.map((row) => (
        <Paper key={keyOf(row)} component="li" withBorder p="sm" className={classes.card ?? ''}>
          <Box fw={600} fz="sm">
            {shownCell(heading?.[1](row))}
          </Box>
          <dl className={classes.entries}>
            {others.map(([name, cell]) => (
              <Entry key={name} name={name} value={cell(row)} />
            ))}
          </dl>
        </Paper>
      ))}
    </Stack>
  )
}

function Entry({ name, value }: { name: string; value: ReactNode }) {
  if (value === '') return null
  return (
    <>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Box component="dd" m={0} fz="sm">
        {shownCell(value)}
      </Box>
    </>
  )
}
