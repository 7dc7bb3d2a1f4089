import { createClient } from '@connectrpc/connect'
import { createConnectQueryKey, useQuery, useTransport } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { DetailPage } from '../../components/detail-page.tsx'
import { PageLink } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { useLiveStream } from '../../server/live-stream.ts'
import { ApplicationMenu } from './application-menu.tsx'
import { applicationState } from './application-state.ts'
import { applicationTabs, isApplicationTab } from './application-tab.ts'
import { HydrateButtons } from './hydrate-buttons.tsx'
import { TabContent } from './tab-content.tsx'
import { t } from '../../language/t.ts'

const route = getRouteApi('/applications/$namespace/$name')
const { getApplication, getManifests, getParameters, listHistory, listObjects, listRuns } =
  ApplicationService.method

/** One Application: how it is hydrated, what its last commit changed, and what may be done with it. */
export function ApplicationPage() {
  const { namespace, name } = route.useParams()
  const { tab = 'overview' } = route.useSearch()
  const navigate = route.useNavigate()
  const answer = useQuery(getApplication, { namespace, name })
  const stream = useApplicationUpdates(namespace, name)
  const state = answer.data && applicationState(answer.data.application ?? {})
  const select = (value: string | null) => {
    if (isApplicationTab(value)) void navigate({ search: { tab: value === 'overview' ? undefined : value } })
  }
  return (
    <DetailPage
      back={
        <PageLink to="/applications" size="sm">
          ← {t('All Applications')}
        </PageLink>
      }
      title={name}
      answer={answer}
      beside={
        state && (
          <>
            {state.isHydrated && <PhaseBadge phase={state.phase} />}
            <LiveMark state={stream} />
            <HydrateButtons namespace={namespace} name={name} project={state.project} />
            <ApplicationMenu name={{ namespace, name }} state={state} version={answer.data?.version ?? ''} />
          </>
        )
      }
    >
      {state && answer.data && (
        <PageTabs tabs={Object.entries(applicationTabs)} chosen={tab} choose={select}>
          <TabContent tab={tab} name={{ namespace, name }} state={state} answer={answer.data} />
        </PageTabs>
      )}
    </DetailPage>
  )
}

/** Reads the Application again, and what is made of it, when the server reports a change. */
function useApplicationUpdates(namespace: string, name: string) {
  const transport = useTransport()
  const cache = useQueryClient()
  return useLiveStream({
    key: `${namespace}/${name}`,
    open: (signal) =>
      createClient(ApplicationService, transport).watchApplications({ namespace, name }, { signal }),
    receive: () => {
      const input = { namespace, name }
      const keys = [
        createConnectQueryKey({ schema: getApplication, input, cardinality: 'finite' }),
        createConnectQueryKey({ schema: listHistory, input, cardinality: 'finite' }),
        createConnectQueryKey({ schema: getManifests, input, cardinality: 'finite' }),
        createConnectQueryKey({ schema: getParameters, input, cardinality: 'finite' }),
        createConnectQueryKey({ schema: listRuns, input, cardinality: 'finite' }),
        createConnectQueryKey({ schema: listObjects, input: { ...input, limit: 1 }, cardinality: 'finite' }),
      ]
      for (const queryKey of keys) void cache.invalidateQueries({ queryKey })
    },
  })
}
