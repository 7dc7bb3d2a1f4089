import { Suspense } from 'react'
import { Loading } from '../../components/loading.tsx'
import type { GetApplicationResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import type { ApplicationTab } from './application-tab.ts'
import { OverviewTab } from './overview-tab.tsx'
import { lazyPart } from '../../components/lazy-part.ts'

const tabs = {
  overview: OverviewTab,
  changes: lazyPart(async () => (await import('./changes-tab.tsx')).ChangesTab),
  parameters: lazyPart(async () => (await import('./parameters/parameters-tab.tsx')).ParametersTab),
  history: lazyPart(async () => (await import('./history-tab.tsx')).HistoryTab),
  compare: lazyPart(async () => (await import('./compare/compare-tab.tsx')).CompareTab),
  objects: lazyPart(async () => (await import('./objects/objects-tab.tsx')).ObjectsTab),
  runs: lazyPart(async () => (await import('./runs/runs-tab.tsx')).RunsTab),
  preview: lazyPart(async () => (await import('./preview-tab.tsx')).PreviewTab),
  object: lazyPart(async () => (await import('./object/object-tab.tsx')).ObjectTab),
} satisfies Record<ApplicationTab, unknown>

interface TabContentProps {
  tab: ApplicationTab
  name: ApplicationName
  state: ApplicationState
  answer: GetApplicationResponse
}

/** The part of the page that is chosen. */
export function TabContent({ tab, ...props }: TabContentProps) {
  const Content = tabs[tab]
  return (
    <Suspense fallback={<Loading />}>
      <Content {...props} />
    </Suspense>
  )
}
