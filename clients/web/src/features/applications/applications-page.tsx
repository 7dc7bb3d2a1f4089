import { PageButton } from '../../components/links.tsx'
import { Stack } from '@mantine/core'
import { useTransport } from '@connectrpc/connect-query'
import { createClient } from '@connectrpc/connect'
import { PlusIcon } from '@primer/octicons-react/PlusIcon'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useChoiceUpdates } from '../../server/application-updates.ts'
import { useLiveStream } from '../../server/live-stream.ts'
import { useProjectsWith } from '../../server/project-rights.ts'
import { filterOf, isNarrowed } from './application-filter.ts'
import { ApplicationFilters } from './application-filters.tsx'
import { ApplicationList } from './application-list.tsx'
import { useApplicationCounts, usePageUpdates } from './application-pages.ts'
import { NoApplications, NoMatch } from './no-applications.tsx'
import { PhaseCounts } from './phase-counts.tsx'
import { SelectionBar } from './selection/selection-bar.tsx'
import { useSelection } from './selection/use-selection.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/applications')

/** The list of Applications, which follows the server. */
export function ApplicationsPage() {
  const search = route.useSearch()
  const counts = useApplicationCounts(search)
  const update = usePageUpdates(search.group !== undefined)
  const updateChoices = useChoiceUpdates()
  const transport = useTransport()
  const filter = filterOf(search)
  const filterKey = JSON.stringify(filter)
  const selection = useSelection(filterKey)
  const stream = useLiveStream({
    key: filterKey,
    open: (signal) =>
      createClient(ApplicationService, transport).watchApplicationSummaries({ filter }, { signal }),
    receive: (change) => {
      update(change)
      updateChoices(change)
      selection.follow(change)
    },
  })
  const mayCreate = useProjectsWith('applications', 'create').length > 0
  const isEmpty = !counts.isPending && counts.total === 0 && counts.error === undefined
  return (
    <Stack gap="md">
      <PageTitle title={t('Applications')}>
        <LiveMark state={stream} />
        {mayCreate && (
          <PageButton to="/applications/new" leftSection={<PlusIcon />}>
            {t('New Application')}
          </PageButton>
        )}
      </PageTitle>
      {counts.error !== undefined && (
        <ErrorState title={t('The Applications cannot be listed')} error={counts.error} />
      )}
      {isEmpty && !isNarrowed(search) ? (
        <NoApplications mayCreate={mayCreate} />
      ) : (
        <>
          <PhaseCounts counts={counts.phases} />
          <ApplicationFilters />
          {isEmpty ? <NoMatch /> : <ApplicationList search={search} selection={selection} />}
        </>
      )}
      <SelectionBar selection={selection} />
    </Stack>
  )
}
