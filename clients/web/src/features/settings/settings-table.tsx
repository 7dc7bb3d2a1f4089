import { Text } from '@mantine/core'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Loading } from '../../components/loading.tsx'
import { t } from '../../language/t.ts'

interface SettingsTableProps<Row> extends Pick<DataTableProps<Row>, 'keyOf' | 'columns'> {
  /** The name of the list, for errors and screen readers: `The repositories`. */
  what: string
  answer: { isPending: boolean; error: unknown; refetch: () => unknown }
  rows: readonly Row[] | undefined
  /** Says what to do while there is nothing. */
  empty: string
}

/** A list of settings, or why there is none; what is listed stays when listing it again fails. */
export function SettingsTable<Row>({ what, answer, rows, empty, ...table }: SettingsTableProps<Row>) {
  if (answer.error !== null && rows === undefined)
    return (
      <ErrorState
        title={t('{list} cannot be listed', { list: what })}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  if (answer.isPending || rows === undefined) return <Loading />
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>
  return <DataTable label={what} rows={rows} {...table} />
}
