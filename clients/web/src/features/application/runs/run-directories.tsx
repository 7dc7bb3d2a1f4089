import { Stack, Text, Title } from '@mantine/core'
import type { Run, RunDirectory } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { PageLink } from '../../../components/links.tsx'
import { counted } from '../../../words/counted.ts'
import { countsText } from './run-words.ts'

const results: Readonly<Record<string, string>> = {
  rendered: 'rendered: its inputs changed',
  cached: 'cached: rendered before with the same inputs',
  failed: 'failed',
}

const columns: DataTableProps<RunDirectory>['columns'] = {
  Directory: ({ path }) => <GivenText text={path || '.'} />,
  Result: ({ result }) => results[result] ?? result,
  Manifests: ({ result, isChanged }) => (result === 'failed' ? '' : isChanged ? 'changed' : 'the same'),
  Applications: ({ applications }) => <Names names={applications} />,
  Error: ({ error }) => (error === '' ? '' : <GivenText text={error} />),
}

/** The directories of a run: rendered ones, those from the cache, and how many were skipped. */
export function RunDirectories({ run, hidden }: { run: Run; hidden: number }) {
  const counts = countsText(run)
  if (counts === '') return null
  const more = run.directoriesLeftOut + hidden
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Directories
      </Title>
      <Text size="sm" c="dimmed">
        {counts}
        {run.skipped > 0 &&
          '; skipped ones are on the branch as they are to be, since nothing that decides them changed'}
      </Text>
      {run.directories.length > 0 && (
        <DataTable label="Directories" rows={run.directories} keyOf={({ path }) => path} columns={columns} />
      )}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          and {counted(more, 'more directory', 'more directories')}
        </Text>
      )}
    </Stack>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <Stack gap={2}>
      {names.map((qualified) => {
        const [namespace = '', name = ''] = qualified.split('/')
        return (
          <PageLink
            key={qualified}
            to="/applications/$namespace/$name"
            params={{ namespace, name }}
            size="sm"
          >
            {name}
          </PageLink>
        )
      })}
    </Stack>
  )
}
