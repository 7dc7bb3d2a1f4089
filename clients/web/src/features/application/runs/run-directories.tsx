import { Stack, Text, Title } from '@mantine/core'
import type { Run, RunDirectory } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { PageLink } from '../../../components/links.tsx'
import { countsText } from './run-words.ts'
import { t } from '../../../language/t.ts'

const results: Readonly<Record<string, string>> = {
  rendered: t('rendered: its inputs changed'),
  cached: t('cached: rendered before with the same inputs'),
  failed: t('failed'),
}

const columns: DataTableProps<RunDirectory>['columns'] = {
  [t('Directory')]: ({ path }) => <GivenText text={path || '.'} />,
  [t('Result')]: ({ result }) => results[result] ?? result,
  [t('Manifests')]: ({ result, isChanged }) =>
    result === 'failed' ? '' : isChanged ? t('changed') : t('the same'),
  [t('Applications')]: ({ applications }) => <Names names={applications} />,
  [t('Error')]: ({ error }) => (error === '' ? '' : <GivenText text={error} lang="en" />),
}

/** The directories of a run: rendered ones, those from the cache, and how many were skipped. */
export function RunDirectories({ run, hidden }: { run: Run; hidden: number }) {
  const counts = countsText(run)
  if (counts === '') return null
  const more = run.directoriesLeftOut + hidden
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('Directories')}
      </Title>
      <Text size="sm" c="dimmed">
        {run.skipped > 0
          ? t(
              '{counts}; skipped ones are on the branch as they are to be, since nothing that decides them changed',
              { counts },
            )
          : counts}
      </Text>
      {run.directories.length > 0 && (
        <DataTable
          label={t('Directories')}
          rows={run.directories}
          keyOf={({ path }) => path}
          columns={columns}
        />
      )}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('and {count, plural, one {# more directory} other {# more directories}}', { count: more })}
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
