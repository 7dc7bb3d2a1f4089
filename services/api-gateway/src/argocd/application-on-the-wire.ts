import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type Application, ApplicationSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_pb.ts'
import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { fromKubernetesJson } from './kubernetes-json.ts'

/** Additions to the status of an Application that is requested alone. */
export interface StatusAdditions {
  history?: readonly JsonObject[]
  conditions?: readonly JsonObject[]
}

/**
 * An Application as users see it in the form of Argo CD's clients. What others keep in its status is passed on; where
 * nobody does, the sync status reports whether the hydrated branch holds the newest dry commit, as Wadi left it, the health
 * is unknown, and failures and warnings are conditions.
 */
export function applicationOnTheWire(view: JsonObject, additions: StatusAdditions = {}): Application {
  const stored = objectIn(view, 'status')
  const hydrator = objectIn(stored, 'sourceHydrator')
  const operation = objectIn(hydrator, 'currentOperation')
  const conditions = [
    ...listIn(stored, 'conditions'),
    ...hydrationConditions(view, hydrator, operation),
    ...(additions.conditions ?? []),
  ]
  const finishedAt = operation['finishedAt']
  const status: JsonObject = {
    controllerNamespace: controlPlaneNamespace,
    sync: syncStatus(view, hydrator, operation),
    health: { status: 'Unknown', message: 'Wadi reads no cluster' },
    ...(finishedAt !== undefined && { reconciledAt: finishedAt }),
    ...(additions.history && { history: [...additions.history] }),
    ...stored,
    ...(conditions.length > 0 && { conditions }),
  }
  const { project } = objectIn(view, 'spec')
  // Clients ask for the project by the name that they read here.
  const spec = { ...objectIn(view, 'spec'), project: project || 'default' }
  return fromKubernetesJson(ApplicationSchema, { ...view, spec, status })
}

/** The source that Argo CD's clients take for that of a hydrated Application: where it is applied from. */
export function syncSourceOf(view: JsonObject): JsonObject {
  const hydrator = objectIn(objectIn(view, 'spec'), 'sourceHydrator')
  const [first] = listIn(hydrator, 'drySources')
  const { repoURL: dryRepoURL = '' } = isJsonObject(first) ? first : objectIn(hydrator, 'drySource')
  const { repoURL = dryRepoURL, targetBranch = '', path = '' } = objectIn(hydrator, 'syncSource')
  return { repoURL, targetRevision: targetBranch, path }
}

function syncStatus(view: JsonObject, hydrator: JsonObject, operation: JsonObject): JsonObject {
  const { hydratedSHA = '' } = objectIn(hydrator, 'lastSuccessfulOperation')
  const spec = objectIn(view, 'spec')
  // The commit is on the staging branch then, while clients show the revision beside the branch that is applied.
  const isStaged = objectIn(spec, 'sourceHydrator')['hydrateTo'] !== undefined
  return {
    status: syncCode(operation, hydrator['foreignChange'] !== undefined),
    ...(!isStaged && { revision: hydratedSHA }),
    comparedTo: { source: syncSourceOf(view), destination: objectIn(spec, 'destination') },
  }
}

function syncCode({ phase }: JsonObject, isChangedByOthers: boolean): string {
  if (phase === undefined) return 'Unknown'
  return phase === 'Hydrated' && !isChangedByOthers ? 'Synced' : 'OutOfSync'
}

function hydrationConditions(view: JsonObject, hydrator: JsonObject, operation: JsonObject): JsonObject[] {
  const { phase, message = '', startedAt, finishedAt = startedAt } = operation
  const { message: foreignChange } = objectIn(hydrator, 'foreignChange')
  const condition = (type: string, text: JsonValue): JsonObject => ({
    type,
    message: text,
    ...(finishedAt !== undefined && { lastTransitionTime: finishedAt }),
  })
  return [
    ...(phase === 'Failed' ? [condition('HydrationError', message)] : []),
    ...(foreignChange === undefined ? [] : [condition('ForeignChangeWarning', foreignChange)]),
    ...[...listIn(hydrator, 'warnings'), ...applicationWarnings(view)].map((warning) =>
      condition('HydrationWarning', warning),
    ),
  ]
}

function objectIn(object: JsonObject, field: string): JsonObject {
  const value = object[field]
  return isJsonObject(value) ? value : {}
}

function listIn(object: JsonObject, field: string): JsonValue[] {
  const value = object[field]
  return Array.isArray(value) ? value : []
}
