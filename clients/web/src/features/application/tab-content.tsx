import { lazy, Suspense } from 'react'
import { Loading } from '../../components/loading.tsx'
import type { GetApplicationResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import type { ApplicationTab } from './application-tab.ts'
import { ChangesTab } from './changes-tab.tsx'
import { CompareTab } from './compare/compare-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { ObjectTab } from './object/object-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { PreviewTab } from './preview-tab.tsx'

const Parameters = lazy(async () => ({
  default: (await import('./parameters/parameters-tab.tsx')).ParametersTab,
}))
const Objects = lazy(async () => ({ default: (await import('./objects/objects-tab.tsx')).ObjectsTab }))

const Runs = lazy(async () => ({ default: (await import('./runs/runs-tab.tsx')).RunsTab }))

interface TabContentProps {
  tab: ApplicationTab
  name: ApplicationName
  state: ApplicationState
  answer: GetApplicationResponse
}

/** The part of the page that is chosen. */
export function TabContent({ tab, name, state, answer }: TabContentProps) {
  if (tab === 'changes') return <ChangesTab name={name} state={state} />
  if (tab === 'parameters')
    return (
      <Suspense fallback={<Loading />}>
        <Parameters name={name} state={state} />
      </Suspense>
    )
  if (tab === 'history') return <HistoryTab name={name} state={state} />
  if (tab === 'compare') return <CompareTab name={name} state={state} />
  if (tab === 'objects')
    return (
      <Suspense fallback={<Loading />}>
        <Objects name={name} state={state} />
      </Suspense>
    )
  if (tab === 'runs')
    return (
      <Suspense fallback={<Loading />}>
        <Runs name={name} state={state} />
      </Suspense>
    )
  if (tab === 'preview') return <PreviewTab name={name} state={state} />
  if (tab === 'object')
    return <ObjectTab name={name} project={state.project} application={answer.application ?? {}} />
  return <OverviewTab name={name} state={state} answer={answer} />
}
