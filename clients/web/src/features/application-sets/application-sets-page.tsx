import { Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { createConnectQueryKey, useQuery, useTransport } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { PlusIcon } from '@primer/octicons-react/PlusIcon'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { StackIcon } from '@primer/octicons-react/StackIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import type { JsonObject } from '@bufbuild/protobuf'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton, PageLink } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useLiveStream } from '../../server/live-stream.ts'
import { useProjectsWith } from '../../server/project-rights.ts'
import { generatorNames, setErrors, setsAfter } from './application-set.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/application-sets')
const { listApplicationSets } = ApplicationSetService.method

const columns: DataTableProps<JsonObject>['columns'] = {
  [t('Name')]: (set) => <SetName set={set} />,
  [t('Generators')]: (set) => generatorNames(set).join(', '),
  [t('Project')]: projectOf,
  [t('State')]: (set) => <SetState set={set} />,
}

/** The ApplicationSets with their generators; the address says which of them are shown. */
export function ApplicationSetsPage() {
  const answer = useQuery(listApplicationSets, {})
  const stream = useListUpdates()
  const mayCreate = useProjectsWith('applications', 'create').length > 0
  const applicationSets = answer.data?.applicationSets ?? []
  return (
    <Stack>
      <PageTitle title={t('ApplicationSets')}>
        {applicationSets.length > 0 && <LiveMark state={stream} />}
        {applicationSets.length > 0 && mayCreate && <NewSet />}
      </PageTitle>
      {answer.isPending && <Loading />}
      {answer.isLoadingError && (
        <ErrorState
          title={t('The ApplicationSets cannot be listed')}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      )}
      {answer.data && applicationSets.length === 0 && <NoSets mayCreate={mayCreate} />}
      {applicationSets.length > 0 && <SetList sets={applicationSets} />}
    </Stack>
  )
}

function SetList({ sets }: { sets: readonly JsonObject[] }) {
  const { text = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const wanted = text.toLowerCase()
  const shown = sets.filter((set) =>
    [textAt(set, 'metadata', 'name'), projectOf(set)].some((word) => word.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <TextInput
        aria-label={t('Name or project')}
        placeholder={t('Name or project')}
        leftSection={<SearchIcon />}
        value={text}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { text: value || undefined }, replace: text !== '' })
        }
        maw={320}
      />
      {shown.length === 0 ? (
        <Text c="dimmed">{t('No ApplicationSet matches. Remove a part of the filter to see more.')}</Text>
      ) : (
        <DataTable
          label={t('ApplicationSets')}
          rows={shown}
          keyOf={(set) => textAt(set, 'metadata', 'uid')}
          columns={columns}
        />
      )}
    </>
  )
}

function projectOf(set: JsonObject): string {
  return textAt(set, 'spec', 'template', 'spec', 'project')
}

function NewSet() {
  return (
    <PageButton to="/application-sets/new" leftSection={<PlusIcon />}>
      {t('New ApplicationSet')}
    </PageButton>
  )
}

function NoSets({ mayCreate }: { mayCreate: boolean }) {
  return (
    <EmptyState
      icon={<StackIcon size={32} />}
      title={t('No ApplicationSets yet')}
      text={
        <>
          {t(
            'An ApplicationSet makes Applications from a template, for each directory, cluster or pull request for example.',
          )}{' '}
          {!mayCreate && t('You may not create one; ask who administers this server.')}
        </>
      }
    >
      {mayCreate && (
        <>
          <NewSet />
          <Text size="sm">
            {t.rich('From the command line: <code>wadi appset create FILE</code>', { code: <Code /> })}
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
      <Text size="sm">{error === undefined ? t('Applied') : <GivenText text={error} lang="en" />}</Text>
    </Group>
  )
}
