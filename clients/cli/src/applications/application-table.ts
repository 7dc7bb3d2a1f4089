import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import { qualifiedName } from './application-name.ts'
import { sourcesOf } from '../application-sets/sources.ts'
import { hydratedBranchName, hydrationState, type HydrationState, shortSha } from './hydration-state.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { renderersOf, toolsOf } from './rendered-by.ts'
import { tableText } from '../output/table.ts'

const headers = [
  'NAME',
  'CLUSTER',
  'NAMESPACE',
  'PROJECT',
  'STATUS',
  'BRANCH',
  'DRY-SHA',
  'HYDRATED-SHA',
  'REPO',
  'PATH',
  'TARGET',
  'RENDERER',
]

/** The fields that the table is made of, beside those that name the Application. */
export const tableFields = [
  'metadata.deletionTimestamp',
  'spec.project',
  'spec.destination',
  'spec.source',
  'spec.sources',
  'spec.sourceHydrator.drySource.path',
  'spec.sourceHydrator.drySource.repoURL',
  'spec.sourceHydrator.drySource.targetRevision',
  'spec.sourceHydrator.hydrateTo.targetBranch',
  'spec.sourceHydrator.syncSource.targetBranch',
  'status.sourceHydrator.currentOperation.phase',
  'status.sourceHydrator.lastSuccessfulOperation.drySHA',
  'status.sourceHydrator.lastSuccessfulOperation.hydratedSHA',
  'status.sourceHydrator.foreignChange.message',
]

/** Returns the table that `app list` prints. */
export function applicationTable(applications: readonly JsonObject[]): string {
  return tableText(headers, applications.map(applicationRow))
}

function applicationRow(application: JsonObject): string[] {
  const destination = objectAt(application, 'spec', 'destination')
  const [source] = sourcesOf(objectAt(application, 'spec'))
  const state = hydrationState(application)
  const tools = toolsOf(application)
  return [
    qualifiedName(application),
    textAt(destination, 'server') || textAt(destination, 'name'),
    textAt(destination, 'namespace'),
    textAt(application, 'spec', 'project'),
    statusText(application, state),
    hydratedBranchName(application),
    shortSha(state.drySha),
    shortSha(state.hydratedSha),
    shownUrl(textAt(source, 'repoURL')),
    textAt(source, 'path'),
    textAt(source, 'targetRevision'),
    (tools.length > 0 ? tools : renderersOf(application)).join(', '),
  ]
}

function statusText(application: JsonObject, { status, foreignChange }: HydrationState): string {
  if (textAt(application, 'metadata', 'deletionTimestamp') !== '') return `${status} (deleting)`
  return foreignChange === '' ? status : `${status} (changed)`
}
