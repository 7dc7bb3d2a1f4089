import { Table, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { HistoryIcon } from '@primer/octicons-react/HistoryIcon'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageLink } from '../../components/links.tsx'
import { Loading } from '../../components/loading.tsx'
import type { ApplicationName } from './application-name.ts'

/** The hydrated commits that changed the Application, the newest first. */
export function HistoryTab({ name }: { name: ApplicationName }) {
  const history = useQuery(ApplicationService.method.listHistory, name)
  if (history.isPending) return <Loading />
  if (history.isError)
    return (
      <ErrorState
        title="The history cannot be read"
        error={history.error}
        retry={() => void history.refetch()}
      />
    )
  if (history.data.entries.length === 0)
    return (
      <EmptyState
        icon={<HistoryIcon size={32} />}
        title="No hydrated commit yet"
        text="The first successful run writes the first one."
      />
    )
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {['Commit', 'Message', 'Author', 'Dry commit', 'Age'].map((label) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {history.data.entries.map((entry) => (
            <HistoryRow key={entry.hydratedSha} name={name} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function HistoryRow({ name, entry }: { name: ApplicationName; entry: HistoryEntry }) {
  return (
    <Table.Tr>
      <Table.Td>
        <CommitId sha={entry.hydratedSha} label="hydrated commit" />
      </Table.Td>
      <Table.Td>
        <PageLink
          to="/applications/$namespace/$name"
          params={name}
          search={{ tab: 'changes', commit: entry.hydratedSha }}
          size="sm"
        >
          {entry.subject}
        </PageLink>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{entry.author.replace(/ <.*>$/, '')}</Text>
      </Table.Td>
      <Table.Td>
        {entry.drySha === '' ? 'not by Wadi' : <CommitId sha={entry.drySha} label="dry commit" />}
      </Table.Td>
      <Table.Td>
        <Age time={entry.date} />
      </Table.Td>
    </Table.Tr>
  )
}
