import { Table, Text } from '@mantine/core'
import type { BranchSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { PageLink } from '../../components/links.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'

/** One hydrated branch in the list. */
export function BranchRow({ branch }: { branch: BranchSummary }) {
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink
          to="/branch"
          search={{ repository: branch.repoUrl, branch: branch.branch }}
          fw={600}
          size="sm"
        >
          {branch.branch}
        </PageLink>
        <Text size="xs" c="dimmed">
          {branch.repoUrl}
        </Text>
      </Table.Td>
      <Table.Td title={branch.message}>
        <PhaseBadge phase={branch.phase} />
      </Table.Td>
      <Table.Td>{branch.queue || '–'}</Table.Td>
      <Table.Td>{branch.applications}</Table.Td>
      <Table.Td>
        <CommitId sha={branch.drySha} label="dry commit" />
      </Table.Td>
      <Table.Td>
        <Age time={branch.finishedAt || branch.startedAt} />
      </Table.Td>
    </Table.Tr>
  )
}
