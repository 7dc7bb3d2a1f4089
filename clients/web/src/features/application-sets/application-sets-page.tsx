import { Code, Group, Stack, Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { createConnectQueryKey, useQuery, useTransport } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { PlusIcon } from '@primer/octicons-react/PlusIcon'
import { StackIcon } from '@primer/octicons-react/StackIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import type { JsonObject } from '@bufbuild/protobuf'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton, PageLink } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useLiveStream } from '../../server/live-stream.ts'
import { useProjectsWith } from '../../server/project-rights.ts'
import { generatorNames, setErrors, setsAfter } from './application-set.ts'
import { textAt } from '@wadi/fields/json-fields.ts'

const { listApplicationSets } = ApplicationSetService.method

const columns: DataTableProps<JsonObject>['columns'] = {
  Name: (set) => <SetName set={set} />,
  Generators: (set) => generatorNames(set).join(', '),
  Project: (set) => textAt(set, 'spec', 'template', 'spec', 'project'),
  State: (set) => <SetState set={set} />,
}

/** The ApplicationSets with their generators. */
export function ApplicationSetsPage() {
  const answer = useQuery(listApplicationSets, {})
  const stream = useListUpdates()
  const mayCreate = useProjectsWith('applications', 'create').length > 0
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState
        title="The ApplicationSets cannot be listed"
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  const { applicationSets } = answer.data
  return (
    <Stack>
      <PageTitle title="ApplicationSets">
        {applicationSets.length > 0 && <LiveMark state={stream} />}
        {applicationSets.length > 0 && mayCreate && <NewSet />}
      </PageTitle>
      {applicationSets.length === 0 ? (
        <NoSets mayCreate={mayCreate} />
      ) : (
        <DataTable
          label="ApplicationSets"
          rows={applicationSets}
          keyOf={(set) => textAt(set, 'metadata', 'uid')}
          columns={columns}
        />
      )}
    </Stack>
  )
}

function NewSet() {
  return (
    <PageButton to="/application-sets/new" leftSection={<PlusIcon />}>
      New ApplicationSet
    </PageButton>
  )
}

function NoSets({ mayCreate }: { mayCreate: boolean }) {
  return (
    <EmptyState
      icon={<StackIcon size={32} />}
      title="No ApplicationSets yet"
      text={
        <>
          An ApplicationSet makes Applications from a template, for each directory, cluster or pull request
          for example.
          {!mayCreate && ' You may not create one; ask who administers this server.'}
        </>
      }
    >
      {mayCreate && (
        <>
          <NewSet />
          <Text size="sm">
            From the command line: <Code>wadi appset create FILE</Code>
          </Text>
        </>
      )}
    </EmptyState>
  )
}

/** Brings what the server reports into the list, which is read again whenever the stream begins. */
function useListUpdates() {
  const transport = useTransport()
  const cache = useQueryClient()
  const queryKey = createConnectQueryKey({
    schema: listApplicationSets,
    input: {},
    transport,
    cardinality: 'finite',
  })
  return useLiveStream({
    key: 'ApplicationSets',
    open: (signal) => {
      void cache.invalidateQueries({ queryKey })
      return createClient(ApplicationSetService, transport).watchApplicationSets({}, { signal })
    },
    receive: (change) => {
      cache.setQueryData(
        queryKey,
        (known) => known && { ...known, applicationSets: setsAfter(known.applicationSets, change) },
      )
    },
  })
}

function SetName({ set }: { set: JsonObject }) {
  const [namespace, name] = [textAt(set, 'metadata', 'namespace'), textAt(set, 'metadata', 'name')]
  return (
    <PageLink to="/application-sets/$namespace/$name" params={{ namespace, name }} fw={600} size="sm">
      {name}
    </PageLink>
  )
}

function SetState({ set }: { set: JsonObject }) {
  const [error] = setErrors(set)
  const Icon = error === undefined ? CheckCircleIcon : XCircleIcon
  return (
    <Group gap={6} wrap="nowrap" {...(error !== undefined && { c: 'red' })}>
      <Icon />
      <Text size="sm">{error ?? 'Applied'}</Text>
    </Group>
  )
}
