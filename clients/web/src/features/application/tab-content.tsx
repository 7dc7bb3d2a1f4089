import { lazy, Suspense } from 'react'
import { Loading } from '../../components/loading.tsx'
import type { GetApplicationResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import type { ApplicationTab } from './application-tab.ts'
import { OverviewTab } from './overview-tab.tsx'

const tabs = {
  overview: OverviewTab,
  changes: lazy(async () => ({ default: (await import('./changes-tab.tsx')).ChangesTab })),
  parameters: lazy(async () => ({
    default: (await import('./parameters/parameters-tab.tsx')).ParametersTab,
  })),
  history: lazy(async () => ({ default: (await import('./history-tab.tsx')).HistoryTab })),
  compare: lazy(async () => ({ default: (await import('./compare/compare-tab.tsx')).CompareTab })),
  objects: lazy(async () => ({ default: (await import('./objects/objects-tab.tsx')).ObjectsTab })),
  runs: lazy(async () => ({ default: (await import('./runs/runs-tab.tsx')).RunsTab })),
  preview: lazy(async () => ({ default: (await import('./preview-tab.tsx')).PreviewTab })),
  object: lazy(async () => ({ default: (await import('./object/object-tab.tsx')).ObjectTab })),
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
