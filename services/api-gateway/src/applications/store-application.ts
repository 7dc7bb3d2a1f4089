import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { sourceMessage } from '@wadi/hydration/source-message.ts'
import {
  type Application,
  hydratedBranchOf,
  parseApplication,
} from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { requireSeenVersion } from '@wadi/resources/store/seen-version.ts'
import type { GatewayContext } from '../context.ts'
import { chosenPosition, isChosen, type SourceChoice } from '@wadi/resources/application/chosen-source.ts'
import { drySourcesOf, renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import { resolveDry } from './resolve-dry.ts'

/** The result of storing an object. */
export interface StoreOutcome {
  resource: Resource
  outcome: 'created' | 'updated' | 'unchanged'
}

/** Options of storing an object. */
export interface StoreOptions {
  /** Replaces one that is there and differs; otherwise that is an error. */
  replace: boolean
  /** Tells what would happen. */
  dryRun?: boolean
  /** Throws when the caller may not store it where `stored` is now, undefined for nothing. */
  permit: (stored: Resource | undefined) => void
  /** Returns the wanted object with what the server alone has of the stored one; without it nothing but metadata is kept. */
  keep?: (wanted: Resource, stored: Resource) => Resource
}

/**
 * Stores an object, with `status`, owners and what else the server has of it kept.
 * @throws the error of `permit`, InvalidInputError for one that differs without `replace`, ConflictError if it was
 * changed since the user, or this function, read it
 */
export async function storeObject(
  context: Pick<GatewayContext, 'store'>,
  wanted: Resource,
  options: StoreOptions,
): Promise<StoreOutcome> {
  const planned = await planStore(context, wanted, options)
  if (options.dryRun || planned.outcome === 'unchanged') return planned
  const { resource, outcome } = planned
  const { store } = context
  return {
    resource: await (outcome === 'created' ? store.create(resource) : store.update(resource)),
    outcome,
  }
}

/** Returns what `storeObject` would store, with its errors, and stores nothing. */
export async function planStore(
  { store }: Pick<GatewayContext, 'store'>,
  given: Resource,
  { replace, permit, keep }: Omit<StoreOptions, 'dryRun'>,
): Promise<StoreOutcome> {
  const wanted = store.storable(given)
  const { kind, metadata } = wanted
  const namespace = metadata.namespace ?? controlPlaneNamespace
  const stored = await store.get(kind, namespace, metadata.name)
  permit(stored)
  if (!stored) {
    requireSeenVersion(wanted, stored)
    return { resource: wanted, outcome: 'created' }
  }
  const next = {
    ...(keep ? keep(wanted, stored) : wanted),
    metadata: { ...metadata, ...serverFields(stored) },
  }
  if (userContent(stored) === userContent(next)) return { resource: stored, outcome: 'unchanged' }
  if (!replace) {
    throw new InvalidInputError(
      `existing ${kind.toLowerCase()} spec is different; use upsert flag to force update of ${namespace}/${metadata.name}`,
    )
  }
  requireSeenVersion(wanted, stored)
  return { resource: next, outcome: 'updated' }
}

/**
 * Reaches the dry repository and inspects the source, so that a wrong URL, revision, path or option is reported before the
 * Application is stored.
 */
export async function validateSource(
  context: Pick<GatewayContext, 'repoServer' | 'store' | 'summaries'>,
  resource: Resource,
  signal: AbortSignal,
): Promise<void> {
  const application = parseApplication(resource)
  if (!application.hydrated) return
  for (const request of dryRequests(application)) {
    const { repoUrl, project, source } = request
    const { branch: _branch, drySha: _drySha, ...dry } = await resolveDry(context, request, '', signal)
    const { inspections } = await context.repoServer.inspectSources(
      { repoUrl, project, ...dry, sources: [source] },
      { signal },
    )
    const error = inspections[0]?.error ?? ''
    if (error !== '') throw new InvalidInputError(error)
  }
}

/**
 * Returns the `dryRequest` of the chosen source, and the position of the source whose revision the request may replace.
 * @throws InvalidInputError when there is no such source
 */
export function chosenRequest(application: Application, choice: SourceChoice) {
  const { hydrated } = application
  const request = dryRequest(application, hydrated && chosenPosition(hydrated, choice))
  return { request, revised: isChosen(choice) ? request.position : 0 }
}

/** The requests of `dryRequest` for all sources that are rendered, in their order. */
export function dryRequests(application: Application) {
  const positions = application.hydrated ? renderedPositions(application.hydrated) : []
  return positions.map((position) => dryRequest(application, position))
}

/**
 * An Application's dry source as repo-server is asked about it, and the other sources whose files it may read.
 * @param at position of the source; the first that is rendered when not given
 * @throws FailedPreconditionError for an Application that is not hydrated
 */
export function dryRequest(application: Application, at?: number) {
  const { hydrated, project, metadata } = application
  if (!hydrated) throw new FailedPreconditionError(`application ${metadata.name} has no spec.sourceHydrator`)
  const sources = drySourcesOf(hydrated)
  const position = at ?? renderedPositions(hydrated)[0] ?? 0
  const { repoURL: repoUrl, targetRevision, chart: chartName } = sources[position] ?? hydrated.drySource
  const references = sources.flatMap(({ ref, repoURL, targetRevision: revision }, index) =>
    ref === undefined ? [] : [{ ref, repoUrl: repoURL, targetRevision: revision, position: index }],
  )
  const source = sourceMessage(application, hydrated, position)
  const target = hydratedBranchOf(application)
  const hydratedBranch = target ? branchKey(target.repoUrl, target.branch) : ''
  return { repoUrl, project, chartName, targetRevision, position, references, source, hydratedBranch }
}

function serverFields({ metadata }: Resource): Partial<Resource['metadata']> {
  const { resourceVersion, ownerReferences } = metadata
  return {
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(ownerReferences && { ownerReferences }),
  }
}

/** Returns the parts of an object that users decide, as text that is equal for equal content. */
function userContent({ metadata, status: _status, stringData, data, ...rest }: Resource): string {
  const { labels = {}, annotations = {}, finalizers = [], name, namespace } = metadata
  const folded = { ...data }
  for (const [key, value] of Object.entries(stringData ?? {}))
    folded[key] = Buffer.from(value).toString('base64')
  return canonicalJson({ ...rest, data: folded, labels, annotations, finalizers, name, namespace })
}
