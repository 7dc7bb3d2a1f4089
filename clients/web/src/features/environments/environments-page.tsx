import { useQuery } from '@connectrpc/connect-query'
import { Group, Select, Stack } from '@mantine/core'
import { WorkflowIcon } from '@primer/octicons-react/WorkflowIcon'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { EnvironmentService } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageChoice } from '../../components/page-choice.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { t } from '../../language/t.ts'
import { queueRefreshMs, useApplicationUpdates } from '../../server/application-updates.ts'
import type { EnvironmentSearch } from './environment-search.ts'
import { RepositorySection } from './repository-section.tsx'

const route = getRouteApi('/environments')
const pageSize = 10

/** The dry commits of a repository among others, and of one alone. */
const fewCommits = 30
const manyCommits = 500

/** The branches of each dry repository as stages, with the dry commits on their way over them. */
export function EnvironmentsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { repository = '', set = '', page = 1 } = search
  const commits = repository === '' ? fewCommits : manyCommits
  const request = { repository, applicationSet: set, commits, offset: (page - 1) * pageSize, limit: pageSize }
  const answer = useQuery(EnvironmentService.method.listEnvironments, request, {
    placeholderData: keepPreviousData,
    refetchInterval: queueRefreshMs,
  })
  const filter = set === '' ? {} : { applicationSet: set }
  const stream = useApplicationUpdates(filter, [EnvironmentService.method.listEnvironments])
  const show = (next: EnvironmentSearch) => void navigate({ search: next })
  const { environments = [], total = 0, queueError = '' } = answer.data ?? {}
  return (
    <Stack gap="lg">
      <div>
        <PageTitle title={t('Environments')}>
          <LiveMark state={stream} />
        </PageTitle>
        <EnvironmentFilters search={search} show={show} />
      </div>
      {answer.isPending && <Loading />}
      {answer.isError && (
        <ErrorState
          title={t('The environments cannot be listed')}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      )}
      {answer.data?.total === 0 && <NoEnvironments isNarrowed={repository !== '' || set !== ''} />}
      <Warnings title={t('The queue cannot be read')} texts={[queueError].filter(Boolean)} />
      {environments.map((each) => (
        <RepositorySection key={`${each.repoUrl} ${each.chart}`} environments={each} search={search} />
      ))}
      {total > 0 && (
        <PageChoice
          total={total}
          count={t('{count, plural, one {# dry repository} other {# dry repositories}}', { count: total })}
          pageSize={pageSize}
          page={page}
          turn={(next) => show({ ...search, page: next })}
        />
      )}
    </Stack>
  )
}

function NoEnvironments({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <EmptyState
      icon={<WorkflowIcon size={32} />}
      title={isNarrowed ? t('No environment matches') : t('No environments yet')}
      text={t('A branch is a stage of its dry repository as soon as an Application is hydrated to it.')}
    >
      {isNarrowed ? (
        <PageButton to="/environments">{t('Show all')}</PageButton>
      ) : (
        <PageButton to="/applications">{t('Show the Applications')}</PageButton>
      )}
    </EmptyState>
  )
}

interface EnvironmentFiltersProps {
  search: EnvironmentSearch
  show: (search: EnvironmentSearch) => void
}

/** Narrows the page to a dry repository, to an ApplicationSet, or to both. */
function EnvironmentFilters({ search, show }: EnvironmentFiltersProps) {
  const { data } = useQuery(ApplicationService.method.listApplicationChoices, {})
  const { repository, set } = search
  return (
    <Group align="flex-start">
      <Select
        aria-label={t('Dry repository')}
        placeholder={t('All dry repositories')}
        data={withChosen(data?.repositories, repository)}
        value={repository ?? null}
        onChange={(chosen) => show({ ...search, repository: chosen ?? undefined, page: undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Show all dry repositories') }}
        nothingFoundMessage={t('No dry repository matches')}
        w={{ base: '100%', xs: 420 }}
      />
      <Select
        aria-label={t('ApplicationSet')}
        placeholder={t('All ApplicationSets')}
        data={withChosen(data?.applicationSets, set)}
        value={set ?? null}
        onChange={(chosen) => show({ ...search, set: chosen ?? undefined, page: undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Show all ApplicationSets') }}
        nothingFoundMessage={t('No ApplicationSet matches')}
        w={{ base: '100%', xs: 260 }}
      />
    </Group>
  )
}

/** Returns the choices with that of the address, which may be in another spelling. */
function withChosen(choices: readonly string[] = [], chosen: string | undefined): string[] {
  return chosen === undefined || choices.includes(chosen) ? [...choices] : [chosen, ...choices]
}
