import { Alert, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { getRouteApi } from '@tanstack/react-router'
import {
  BranchService,
  type GetBranchResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageLink } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { queueRefreshMs, useBranchUpdates } from './use-branch-updates.ts'

const route = getRouteApi('/branch')

/** One hydrated branch: its dry sources, its Applications and its newest commits. */
export function BranchPage() {
  const { repository, branch } = route.useSearch()
  const request = { repoUrl: repository, branch }
  const answer = useQuery(BranchService.method.getBranch, request, {
    refetchInterval: queueRefreshMs,
  })
  const stream = useBranchUpdates(branch)
  if (answer.isPending) return <Loading />
  if (answer.isError)
    return (
      <Stack>
        <PageLink to="/branches" size="sm">
          ← All branches
        </PageLink>
        <ErrorState
          title="The branch cannot be shown"
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      </Stack>
    )
  const { error, queueError, branch: summary } = answer.data
  return (
    <Stack>
      <PageLink to="/branches" size="sm">
        ← All branches
      </PageLink>
      <PageTitle title={branch}>
        <PhaseBadge phase={summary?.phase ?? ''} />
        <LiveMark state={stream} />
      </PageTitle>
      <Text size="sm" c="dimmed">
        {repository}
      </Text>
      {[error, queueError, summary?.message ?? '', summary?.foreignChange ?? ''].map(
        (text) =>
          text !== '' && (
            <Alert key={text} color="orange" icon={<AlertIcon />} title="This needs a look">
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            </Alert>
          ),
      )}
      <Sources branch={answer.data} />
      <Members branch={answer.data} />
      <Commits branch={answer.data} />
    </Stack>
  )
}

function Sources({ branch: { sources } }: { branch: GetBranchResponse }) {
  return (
    <Listing
      title="Dry sources"
      labels={['Repository', 'Revision', 'Phase', 'Dry commit of the newest run', 'Noted on the branch']}
    >
      {sources.map((source) => (
        <Table.Tr key={`${source.repoUrl} ${source.targetRevision}`}>
          <Table.Td>{source.repoUrl}</Table.Td>
          <Table.Td>{source.targetRevision}</Table.Td>
          <Table.Td>
            <PhaseBadge phase={source.phase} />
          </Table.Td>
          <Table.Td>
            <CommitId sha={source.drySha} label="dry commit" />
          </Table.Td>
          <Table.Td>
            <CommitId sha={source.notedDrySha} label="noted dry commit" />
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}

function Members({ branch: { applications } }: { branch: GetBranchResponse }) {
  return (
    <Listing title="Applications" labels={['Name', 'Phase', 'Project', 'Path']}>
      {applications.map(({ namespace, name, phase, project, syncPath }) => (
        <Table.Tr key={`${namespace}/${name}`}>
          <Table.Td>
            <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
              {name}
            </PageLink>
          </Table.Td>
          <Table.Td>
            <PhaseBadge phase={phase} />
          </Table.Td>
          <Table.Td>{project}</Table.Td>
          <Table.Td>{syncPath}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}

function Commits({ branch: { commits } }: { branch: GetBranchResponse }) {
  return (
    <Listing title="Newest commits" labels={['Commit', 'Message', 'Author', 'Age']}>
      {commits.map((commit) => (
        <Table.Tr key={commit.hydratedSha}>
          <Table.Td>
            <CommitId sha={commit.hydratedSha} label="hydrated commit" />
          </Table.Td>
          <Table.Td>{commit.subject}</Table.Td>
          <Table.Td>{commit.author.replace(/ <.*>$/, '')}</Table.Td>
          <Table.Td>
            <Age time={commit.date} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}

interface ListingProps {
  title: string
  labels: readonly string[]
  children: React.ReactNode
}

function Listing({ title, labels, children }: ListingProps) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Table.ScrollContainer minWidth={640}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {labels.map((label) => (
                <Table.Th key={label}>{label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}
