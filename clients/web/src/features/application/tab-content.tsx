import type { GetApplicationResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import type { ApplicationTab } from './application-tab.ts'
import { ChangesTab } from './changes-tab.tsx'
import { CompareTab } from './compare/compare-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { ManifestsTab } from './manifests-tab.tsx'
import { ObjectTab } from './object/object-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { ParametersTab } from './parameters/parameters-tab.tsx'
import { PreviewTab } from './preview-tab.tsx'

interface TabContentProps {
  tab: ApplicationTab
  name: ApplicationName
  state: ApplicationState
  answer: GetApplicationResponse
}

/** The part of the page that is chosen. */
export function TabContent({ tab, name, state, answer }: TabContentProps) {
  if (tab === 'changes') return <ChangesTab name={name} state={state} />
  if (tab === 'parameters') return <ParametersTab name={name} state={state} />
  if (tab === 'history') return <HistoryTab name={name} state={state} />
  if (tab === 'compare') return <CompareTab name={name} state={state} />
  if (tab === 'manifests') return <ManifestsTab name={name} />
  if (tab === 'preview') return <PreviewTab name={name} state={state} />
  if (tab === 'object')
    return <ObjectTab name={name} project={state.project} application={answer.application ?? {}} />
  return <OverviewTab name={name} state={state} answer={answer} />
}
