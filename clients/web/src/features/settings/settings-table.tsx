import { Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { Loading } from '../../components/loading.tsx'
import { SettingsCards } from './settings-cards.tsx'

interface SettingsTableProps<Row> {
  /** What is listed, for errors: `The repositories`. */
  what: string
  answer: { isPending: boolean; error: unknown; refetch: () => unknown }
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  /** The columns by heading. */
  columns: Readonly<Record<string, (row: Row) => ReactNode>>
  /** Says what to do while there is nothing. */
  empty: string
}

/** A list of settings as a table, as cards on a telephone, or why there is none. */
export function SettingsTable<Row>({ what, answer, rows, keyOf, columns, empty }: SettingsTableProps<Row>) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  if (answer.error !== null)
    return (
      <ErrorState
        title={`${what} cannot be listed`}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  if (answer.isPending || rows === undefined) return <Loading />
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>
  if (isNarrow) return <SettingsCards rows={rows} keyOf={keyOf} columns={columns} />
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {Object.keys(columns).map((label) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {Object.entries(columns).map(([label, cell]) => (
                <Table.Td key={label} style={{ overflowWrap: 'anywhere' }}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
