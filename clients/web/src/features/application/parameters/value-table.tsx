import { Stack, Text } from '@mantine/core'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { ForgeLink } from '../../../components/forge-links.tsx'
import type { DecidedValue } from '../hydrator-metadata.ts'
import { t } from '../../../language/t.ts'

/** The commit at which the files of values are shown; both empty if unknown. */
export interface ShownCommit {
  repoUrl: string
  sha: string
}

const columns: DataTableProps<DecidedValue & ShownCommit>['columns'] = {
  [t('Value')]: ({ path }) => (
    <span style={{ whiteSpace: path.length < 30 ? 'nowrap' : 'normal' }}>{path}</span>
  ),
  [t('Is')]: ({ value }) => (
    <Text ff="monospace" size="xs">
      {value}
    </Text>
  ),
  [t('Comes from')]: ({ from, file, line, repoUrl, sha }) => (
    <>
      {from}
      <ForgeLink repoUrl={repoUrl} place={{ file, line, sha }} label={t('file {name}', { name: file })} />
    </>
  ),
  [t('Instead of')]: ({ overrides }) => (overrides.length === 0 ? '' : <Overrides texts={overrides} />),
}

interface ValueTableProps {
  label: string
  values: readonly DecidedValue[]
  commit: ShownCommit
}

/** Values with the places that decided them, and those that they override; nothing without values. */
export function ValueTable({ label, values, commit }: ValueTableProps) {
  if (values.length === 0) return null
  return (
    <DataTable
      label={label}
      rows={values.map((value) => ({ ...value, ...commit }))}
      keyOf={({ of, path }) => `${of} ${path}`}
      columns={columns}
    />
  )
}

function Overrides({ texts }: { texts: readonly string[] }) {
  return (
    <Stack gap={2}>
      {texts.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </Stack>
  )
}
