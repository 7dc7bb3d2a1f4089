import { Text, Title } from '@mantine/core'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type {
  BranchSource,
  GetBranchResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DryCommitId } from '../../components/dry-commit-id.tsx'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { authorName } from '../../words/author-name.ts'
import { t } from '../../language/t.ts'

const sourceColumns: DataTableProps<BranchSource>['columns'] = {
  [t('Repository')]: ({ repoUrl, chart }) =>
    chart === '' ? repoUrl : t('{name} of {place}', { name: chart, place: repoUrl }),
  [t('Revision')]: ({ targetRevision }) => targetRevision,
  [t('Phase')]: ({ phase }) => <PhaseBadge phase={phase} />,
  [t('Newest run')]: ({ drySha, repoUrl }) =>
    drySha === '' ? '' : <DryCommitId sha={drySha} repoUrl={repoUrl} />,
  [t('Noted on the branch')]: ({ notedDrySha, repoUrl }) =>
    commitCell(notedDrySha, t('noted dry commit'), repoUrl),
}

const applicationColumns: DataTableProps<ApplicationSummary>['columns'] = {
  [t('Name')]: (application) => <ApplicationName application={application} />,
  [t('Phase')]: ({ phase }) => <PhaseBadge phase={phase} />,
  [t('Project')]: ({ project }) => project,
  [t('Path')]: ({ syncPath }) => syncPath,
}

/** A commit of the branch, and the repositories that it and its dry commit are in. */
type ListedCommit = HistoryEntry & { repoUrl: string; dryRepoUrl: string }

const commitColumns: DataTableProps<ListedCommit>['columns'] = {
  [t('Message')]: ({ subject }) => <GivenText text={subject} lines={2} />,
  [t('Commit')]: ({ hydratedSha, repoUrl }) => commitCell(hydratedSha, t('hydrated commit'), repoUrl),
  [t('Dry commit')]: ({ drySha, dryRepoUrl }) =>
    drySha === '' ? t('not by Wadi') : <DryCommitId sha={drySha} repoUrl={dryRepoUrl} />,
  [t('Author')]: ({ author }) => authorName(author),
  [t('Age')]: ({ date }) => <Age time={date} />,
}

/** Shows the sources of a branch, the Applications on it and its newest commits. */
export function BranchListings({
  answer: { branch, sources, applications, commits },
}: {
  answer: GetBranchResponse
}) {
  const dryRepositories = [...new Set(sources.map(({ repoUrl }) => repoUrl))]
  // Of several, nobody says which a commit is of.
  const dryRepoUrl = dryRepositories.length === 1 ? (dryRepositories[0] ?? '') : ''
  return (
    <>
      <Listing
        label={t('Dry sources')}
        rows={sources}
        keyOf={({ repoUrl, targetRevision, chart }) => `${repoUrl} ${targetRevision} ${chart}`}
        columns={sourceColumns}
      />
      <Listing
        label={t('Applications')}
        rows={applications}
        keyOf={({ namespace, name }) => `${namespace}/${name}`}
        columns={applicationColumns}
      />
      <Listing
        label={t('Newest commits')}
        rows={commits.map((commit) => ({ ...commit, repoUrl: branch?.repoUrl ?? '', dryRepoUrl }))}
        keyOf={({ hydratedSha }) => hydratedSha}
        columns={commitColumns}
      />
    </>
  )
}

function ApplicationName({ application: { namespace, name } }: { application: ApplicationSummary }) {
  return (
    <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
      {name}
    </PageLink>
  )
}

function Listing<Row>(table: DataTableProps<Row>) {
  return (
    <section aria-label={table.label}>
      <Title order={2} size="h4" mb="xs">
        {table.label}
      </Title>
      {table.rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('None yet')}
        </Text>
      ) : (
        <DataTable {...table} />
      )}
    </section>
  )
}

function commitCell(sha: string, label: string, repoUrl: string) {
  return sha === '' ? '' : <CommitId sha={sha} label={label} repoUrl={repoUrl} />
}
