import { useQuery } from '@connectrpc/connect-query'
import { Button, Group } from '@mantine/core'
import { HistoryIcon } from '@primer/octicons-react/HistoryIcon'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { useState } from 'react'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { DryCommitId } from '../../components/dry-commit-id.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { Loading } from '../../components/loading.tsx'
import { t } from '../../language/t.ts'
import { useRight } from '../../server/rights.ts'
import { authorName } from '../../words/author-name.ts'
import { GoBackDialog } from './dry-commit/go-back-dialog.tsx'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'

interface HistoryRow {
  name: ApplicationName
  state: ApplicationState
  entry: HistoryEntry
  isNewest: boolean
  goBack: (drySha: string) => void
}

const columns: DataTableProps<HistoryRow>['columns'] = {
  [t('Message')]: (row) => <Message row={row} />,
  [t('Commit')]: ({ entry, state }) => (
    <CommitId sha={entry.hydratedSha} label={t('hydrated commit')} repoUrl={state.hydratedRepoUrl} />
  ),
  [t('Dry commit')]: ({ entry: { drySha, foreign }, state }) =>
    foreign || drySha === '' ? t('not by Wadi') : <DryCommitId sha={drySha} repoUrl={state.dryRepoUrl} />,
  [t('Author')]: ({ entry }) => authorName(entry.author),
  [t('Age')]: ({ entry }) => <Age time={entry.date} />,
  [t('Compare, go back')]: ({ isNewest, ...row }) => (isNewest ? t('newest') : <EntryActions {...row} />),
}

/** The hydrated commits that changed the Application, the newest first. */
export function HistoryTab({ name, state }: { name: ApplicationName; state: ApplicationState }) {
  const history = useQuery(ApplicationService.method.listHistory, name)
  // Its dialog outlives the rows, which become cards where the window gets narrow.
  const [drySha, goBack] = useState<string>()
  if (history.isPending) return <Loading />
  if (history.isLoadingError)
    return (
      <ErrorState
        title={t('The history cannot be read')}
        error={history.error}
        retry={() => void history.refetch()}
      />
    )
  if (history.data.entries.length === 0)
    return (
      <EmptyState
        icon={<HistoryIcon size={32} />}
        title={t('No hydrated commit yet')}
        text={t('The first successful run writes the first one.')}
      />
    )
  return (
    <>
      <DataTable
        label={t('Hydrated commits')}
        rows={history.data.entries.map((entry, place) => ({
          name,
          state,
          entry,
          isNewest: place === 0,
          goBack,
        }))}
        keyOf={({ entry }) => entry.hydratedSha}
        columns={columns}
      />
      {drySha !== undefined && <GoBackDialog name={name} drySha={drySha} close={() => goBack(undefined)} />}
    </>
  )
}

function Message({ row: { name, entry } }: { row: HistoryRow }) {
  return (
    <PageLink
      to="/applications/$namespace/$name"
      params={name}
      search={{ tab: 'changes', commit: entry.hydratedSha }}
      size="sm"
    >
      <GivenText text={entry.subject} lines={2} />
    </PageLink>
  )
}

interface EntryActionsProps {
  name: ApplicationName
  state: ApplicationState
  entry: HistoryEntry
  goBack: (drySha: string) => void
}

/** Compares a former hydrated commit with the newest, and goes back to its dry commit, for who may change the Application. */
function EntryActions({ name, state, entry, goBack }: EntryActionsProps) {
  const { hydratedSha, drySha, foreign } = entry
  const mayChange = useRight('applications', 'update', `${state.project}/${name.name}`)
  const isInGit = state.sources.length === 1 && state.dryRepoUrl !== ''
  return (
    <Group gap="xs">
      <PageLink
        to="/applications/$namespace/$name"
        params={name}
        search={{ tab: 'compare', from: hydratedSha }}
        size="sm"
        aria-label={t('Compare {sha} with the newest', { sha: hydratedSha.slice(0, 7) })}
      >
        {t('Compare')}
      </PageLink>
      {mayChange && isInGit && !foreign && drySha !== '' && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('Go back to this: dry commit {sha}', { sha: drySha.slice(0, 7) })}
          onClick={() => goBack(drySha)}
        >
          {t('Go back to this')}
        </Button>
      )}
    </Group>
  )
}
