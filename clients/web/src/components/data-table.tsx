import { Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { DataCards } from './data-cards.tsx'
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
