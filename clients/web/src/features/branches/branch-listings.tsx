import { Text, Title } from '@mantine/core'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type {
  BranchSource,
  GetBranchResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { authorName } from '../../words/author-name.ts'

const sourceColumns: DataTableProps<BranchSource>['columns'] = {
  Repository: ({ repoUrl }) => repoUrl,
  Revision: ({ targetRevision }) => targetRevision,
  Phase: ({ phase }) => <PhaseBadge phase={phase} />,
  'Newest run': ({ drySha }) => commitCell(drySha, 'dry commit'),
  'Noted on the branch': ({ notedDrySha }) => commitCell(notedDrySha, 'noted dry commit'),
}

const applicationColumns: DataTableProps<ApplicationSummary>['columns'] = {
  Name: (application) => <ApplicationName application={application} />,
  Phase: ({ phase }) => <PhaseBadge phase={phase} />,
  Project: ({ project }) => project,
  Path: ({ syncPath }) => syncPath,
}

const commitColumns: DataTableProps<HistoryEntry>['columns'] = {
  Message: ({ subject }) => <GivenText text={subject} lines={2} />,
  Commit: ({ hydratedSha }) => commitCell(hydratedSha, 'hydrated commit'),
  'Dry commit': ({ drySha }) => commitCell(drySha, 'dry commit') || 'not by Wadi',
  Author: ({ author }) => authorName(author),
  Age: ({ date }) => <Age time={date} />,
}

/** What feeds a branch, the Applications on it and its newest commits. */
export function BranchListings({
  answer: { sources, applications, commits },
}: {
  answer: GetBranchResponse
}) {
  return (
    <>
      <Listing
        label="Dry sources"
        rows={sources}
        keyOf={({ repoUrl, targetRevision }) => `${repoUrl} ${targetRevision}`}
        columns={sourceColumns}
      />
      <Listing
        label="Applications"
        rows={applications}
        keyOf={({ namespace, name }) => `${namespace}/${name}`}
        columns={applicationColumns}
      />
      <Listing
        label="Newest commits"
        rows={commits}
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
          None yet
        </Text>
      ) : (
        <DataTable {...table} />
      )}
    </section>
  )
}

function commitCell(sha: string, label: string) {
  return sha === '' ? '' : <CommitId sha={sha} label={label} />
}
