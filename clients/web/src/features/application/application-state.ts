import type { JsonObject } from '@bufbuild/protobuf'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'

/** What the page shows of an Application's object. */
export interface ApplicationState {
  project: string
  repoUrl: string
  path: string
  targetRevision: string
  syncRepoUrl: string
  syncBranch: string
  syncPath: string
  hydrateTo: string
  phase: string
  message: string
  startedAt: string
  finishedAt: string
  /** The dry commit of the newest run. */
  operationDrySha: string
  /** Dry and hydrated commit of the newest success. */
  drySha: string
  hydratedSha: string
  warnings: readonly string[]
  foreignChange: string
  conditions: readonly { type: string; message: string }[]
  isHydrated: boolean
}

/** Reads an Application with its hydration status. */
export function applicationState(application: JsonObject): ApplicationState {
  const spec = (...path: string[]) => textAt(application, 'spec', 'sourceHydrator', ...path)
  const status = (...path: string[]) => textAt(application, 'status', 'sourceHydrator', ...path)
  const operation = (field: string) => status('currentOperation', field)
  const [first, rendered] = shownSources(application)
  return {
    project: textAt(application, 'spec', 'project'),
    repoUrl: textAt(first, 'repoURL'),
    path: textAt(rendered, 'path'),
    targetRevision: textAt(first, 'targetRevision'),
    syncRepoUrl: spec('syncSource', 'repoURL'),
    syncBranch: spec('syncSource', 'targetBranch'),
    syncPath: spec('syncSource', 'path'),
    hydrateTo: spec('hydrateTo', 'targetBranch'),
    phase: operation('phase'),
    message: operation('message'),
    startedAt: operation('startedAt'),
    finishedAt: operation('finishedAt'),
    operationDrySha: operation('drySHA'),
    drySha: status('lastSuccessfulOperation', 'drySHA'),
    hydratedSha: status('lastSuccessfulOperation', 'hydratedSHA'),
    warnings: listAt(application, 'status', 'sourceHydrator', 'warnings').filter(
      (text) => typeof text === 'string',
    ),
    foreignChange: status('foreignChange', 'message'),
    conditions: listAt(application, 'status', 'conditions').map((condition) => ({
      type: textAt(condition, 'type'),
      message: textAt(condition, 'message'),
    })),
    isHydrated: textAt(first, 'repoURL') !== '',
  }
}

/** The dry source whose commits are the dry commits, and the first that is rendered: one with a `ref` alone only gives files to others. */
function shownSources(application: JsonObject): [first: unknown, rendered: unknown] {
  const listed = listAt(application, 'spec', 'sourceHydrator', 'drySources')
  const [first = objectAt(application, 'spec', 'sourceHydrator', 'drySource')] = listed
  const rendered = listed.find((source) => textAt(source, 'ref') === '' || textAt(source, 'path') !== '')
  return [first, rendered ?? first]
}
