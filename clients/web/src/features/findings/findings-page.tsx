import { Alert, Stack } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '@connectrpc/connect-query'
import { InfoIcon } from '@primer/octicons-react/InfoIcon'
import { ShieldCheckIcon } from '@primer/octicons-react/ShieldCheckIcon'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageChoice } from '../../components/page-choice.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { RuleCounts, SeverityCounts } from './finding-counts.tsx'
import { FindingFilters } from './finding-filters.tsx'
import { areFindingsNarrowed, findingFilterOf } from './finding-search.ts'
import { FindingTable } from './finding-table.tsx'
import { useFindingUpdates } from './use-finding-updates.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/findings')
const pageSize = 50

/** The findings of gates in all Applications, which follow the server. */
export function FindingsPage() {
  const search = route.useSearch()
  const { page = 1 } = search
  const request = { filter: findingFilterOf(search), offset: (page - 1) * pageSize, limit: pageSize }
  const answer = useQuery(ApplicationService.method.searchFindings, request, {
    placeholderData: keepPreviousData,
  })
  const stream = useFindingUpdates(search.project ?? [])
  const { findings = [], total = 0, severities = {}, rules = {}, leftOut = 0 } = answer.data ?? {}
  const isNarrowed = areFindingsNarrowed(search)
  return (
    <Stack gap="md">
      <PageTitle title={t('Findings')}>
        <LiveMark state={stream} />
      </PageTitle>
      {answer.isError && (
        <ErrorState
          title={t('The findings cannot be listed')}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      )}
      {(total > 0 || isNarrowed) && (
        <>
          <SeverityCounts counts={severities} />
          <RuleCounts counts={rules} />
          <FindingFilters rules={rules} />
        </>
      )}
      {answer.isPending && <Loading />}
      {leftOut > 0 && <LeftOut count={leftOut} />}
      {answer.data && total === 0 && <NoFindings isNarrowed={isNarrowed} />}
      {total > 0 && <FoundList total={total} page={page} findings={findings} />}
    </Stack>
  )
}

function FoundList({
  total,
  page,
  findings,
}: { total: number; page: number } & Parameters<typeof FindingTable>[0]) {
  const navigate = route.useNavigate()
  return (
    <>
      <FindingTable findings={findings} />
      <PageChoice
        total={total}
        count={t('{count, plural, one {# finding} other {# findings}}', { count: total })}
        pageSize={pageSize}
        page={page}
        turn={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
      />
    </>
  )
}

function LeftOut({ count }: { count: number }) {
  return (
    <Alert
      color="gray"
      icon={<InfoIcon />}
      title={t(
        '{count, plural, one {# more finding in all Applications} other {# more findings in all Applications}}',
        { count },
      )}
    >
      {t(
        'A branch keeps 100 findings of each dry repository and revision. Those that are not waived are also in hydrator.metadata of each hydrated directory.',
      )}
    </Alert>
  )
}

function NoFindings({ isNarrowed }: { isNarrowed: boolean }) {
  const title = isNarrowed ? t('No finding matches') : t('No findings')
  const text = isNarrowed
    ? t('Remove a part of the filter to see more.')
    : t(
        'Gates found nothing in the newest renders of the Applications that you may see. They run where wadi.yaml of a repository or the operator asks for them.',
      )
  return (
    <EmptyState icon={<ShieldCheckIcon size={32} />} title={title} text={text}>
      {isNarrowed && (
        <PageButton to="/findings" search={{}} variant="default">
          {t('Show all')}
        </PageButton>
      )}
    </EmptyState>
  )
}
