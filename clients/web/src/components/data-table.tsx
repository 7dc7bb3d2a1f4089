import { Box, Paper, Stack, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './data-cards.module.css'
import { shownCell } from './given-text.tsx'

export interface DataTableProps<Row> {
  /** Names it for screen readers. */
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The cells of a row, by heading; a card leaves an empty text out. */
  columns: Readonly<Record<string, (row: Row) => ReactNode>>
}

/** Rows as a table, or as cards on a telephone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, columns } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  if (isNarrow) return <DataCards {...props} />
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {Object.keys(columns).map((heading) => (
              <Table.Th key={heading} style={{ whiteSpace: 'nowrap' }}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {Object.entries(columns).map(([heading, cell]) => (
                <Table.Td key={heading} style={{ overflowWrap: 'anywhere' }}>
                  {shownCell(cell(row))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** Rows as one card for each, where there is no room for a table: the first column is the heading of the card. */
function DataCards<Row>({ label, rows, keyOf, columns }: DataTableProps<Row>) {
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
