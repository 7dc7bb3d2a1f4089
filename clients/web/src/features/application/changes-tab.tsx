import { Alert, Group, Stack, Text } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { useQuery } from '@connectrpc/connect-query'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { GitCommitIcon } from '@primer/octicons-react/GitCommitIcon'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { Loading } from '../../components/loading.tsx'
import { ObjectChanges } from '../../components/object-changes.tsx'
import { authorName } from '../../words/author-name.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/applications/$namespace/$name')

/** Shows the changes of a hydrated commit, object by object: the newest commit unless the address names another. */
export function ChangesTab({ name, state }: { name: ApplicationName; state: ApplicationState }) {
  const { commit = '' } = route.useSearch()
  const history = useQuery(ApplicationService.method.listHistory, name)
  const entry = history.data?.entries.find(({ hydratedSha }) => hydratedSha.startsWith(commit))
  const changes = useQuery(
    ApplicationService.method.getCommitChanges,
    entry ? { ...name, hydratedSha: entry.hydratedSha } : skipToken,
  )
  const failed = [history, changes].find(({ isLoadingError }) => isLoadingError)
  if (failed)
    return (
      <ErrorState
        title={t('The change cannot be shown')}
        error={failed.error}
        retry={() => void failed.refetch()}
      />
    )
  if (history.isPending) return <Loading />
  if (!entry)
    return (
      <EmptyState
        icon={<GitCommitIcon size={32} />}
        title={
          commit === '' ? t('No hydrated commit yet') : t('No commit {sha} in the history', { sha: commit })
        }
        text={t('The first successful run writes the first one.')}
      />
    )
  return (
    <Stack>
      <CommitLine entry={entry} repoUrl={state.hydratedRepoUrl} />
      {(entry.foreign || changes.data?.error) && (
        <ForeignCommit entry={entry} error={changes.data?.error ?? ''} />
      )}
      {changes.isPending && <Loading />}
      {changes.data?.error === '' && changes.data.objects.length === 0 && (
        <Alert title={t('The manifests are the same')}>
          {t('The commit changed other files, such as hydrator.metadata.')}
        </Alert>
      )}
      <ObjectChanges objects={changes.data?.objects ?? []} />
    </Stack>
  )
}

/** A commit that Wadi did not write: who did, what it left, and how the manifests come back. */
function ForeignCommit({ entry: { author }, error }: { entry: HistoryEntry; error: string }) {
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      title={t.rich('<author></author> made this commit, not Wadi', {
        author: <GivenText text={authorName(author)} />,
      })}
    >
      <Stack gap="sm">
        {error !== '' && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {t('What it left in the directory is no list of manifests any more:')}{' '}
            <GivenText text={error} lang="en" />
          </Text>
        )}
        <Text size="sm">
          {t(
            'A hydrated branch holds what its dry source renders to. To keep the change, make it in the dry source, or in its parameters. To take it back, choose “Hydrate hard” in the menu beside Hydrate: every manifest is written again.',
          )}
        </Text>
      </Stack>
    </Alert>
  )
}

function CommitLine({ entry, repoUrl }: { entry: HistoryEntry; repoUrl: string }) {
  const { hydratedSha, subject, author, date } = entry
  return (
    <Group gap="xs">
      <CommitId sha={hydratedSha} label={t('hydrated commit')} repoUrl={repoUrl} />
      <Text size="sm">
        <GivenText text={subject} lines={2} />,{' '}
        {t.rich('by <author></author>', { author: <GivenText text={authorName(author)} /> })},{' '}
        <Age time={date} />
      </Text>
    </Group>
  )
}
