import { Text, Title } from '@mantine/core'
import type { GetBranchResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { PageLink } from '../../components/links.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'

/** What feeds a branch, the Applications on it and its newest commits. */
export function BranchListings({ answer }: { answer: GetBranchResponse }) {
  const { sources, applications, commits } = answer
  return (
    <>
      <Listing
        label="Dry sources"
        rows={sources}
        keyOf={({ repoUrl, targetRevision }) => `${repoUrl} ${targetRevision}`}
        columns={{
          Repository: ({ repoUrl }) => repoUrl,
          Revision: ({ targetRevision }) => targetRevision,
          Phase: ({ phase }) => <PhaseBadge phase={phase} />,
          'Newest run': ({ drySha }) => commitCell(drySha, 'dry commit'),
          'Noted on the branch': ({ notedDrySha }) => commitCell(notedDrySha, 'noted dry commit'),
        }}
      />
      <Listing
        label="Applications"
        rows={applications}
        keyOf={({ namespace, name }) => `${namespace}/${name}`}
        columns={{
          Name: ({ namespace, name }) => (
            <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
              {name}
            </PageLink>
          ),
          Phase: ({ phase }) => <PhaseBadge phase={phase} />,
          Project: ({ project }) => project,
          Path: ({ syncPath }) => syncPath,
        }}
      />
      <Listing
        label="Newest commits"
        rows={commits}
        keyOf={({ hydratedSha }) => hydratedSha}
        columns={{
          Message: ({ subject }) => subject,
          Commit: ({ hydratedSha }) => <CommitId sha={hydratedSha} label="hydrated commit" />,
          'Dry commit': ({ drySha }) =>
            drySha === '' ? 'not by Wadi' : <CommitId sha={drySha} label="dry commit" />,
          Author: ({ author }) => author.replace(/ <.*>$/, ''),
          Age: ({ date }) => <Age time={date} />,
        }}
      />
    </>
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
