import { ConflictError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { requireDecidedVersion } from '@wadi/resources/decided-version.ts'
import { requireSeenVersion } from '@wadi/resources/store/seen-version.ts'
import { currentAuthor } from '../access/author.ts'
import { authorOf, requireAuthorized } from '../access/authorship.ts'
import { rejection } from '../access/rejection.ts'
import { type Access, maySet, requireAnyApplication, requireSet } from '../access/set-access.ts'
import { deniableObjectsOf } from '../access/set-objects.ts'
import { visibleSet } from '../access/visible-set.ts'
import { statusAfter } from '../status/application-set-status.ts'
import type { OnElement } from '@wadi/application-sets/generate-applications.ts'
import type { AppsetServiceContext } from '../context.ts'
import type { ParameterSet } from '@wadi/application-sets/params/parameter-set.ts'
import { type CheckedChange, commitChange, isOutdated } from './commit-change.ts'
import { generateChecked } from './generated-set.ts'
import { ownedApplications } from './owned-applications.ts'
import type { ChangePlan } from './plan-application-changes.ts'
import { planIdentity, requireReviewedPlan } from './plan-identity.ts'
import { isSameSet, type WantedSet, withIdentityOf } from './wanted-set.ts'

/** Attempts at a change whose inputs change meanwhile. */
const attempts = 3

/** Options of storing a set. */
interface ChangeOptions {
  access: Access
  /** True if a stored set that differs may be changed. */
  upsert: boolean
  /** True to check everything and store nothing. */
  dryRun: boolean
  confirmDeletions: boolean
  /** The plan that its author was shown; empty for a change that nobody has reviewed. */
  reviewedPlan: string
  /** The version of the stored set that its author saw; empty for any. */
  version: string
  signal: AbortSignal
}

/** The outcome for a set and its Applications, stored or planned. */
export interface SetChange {
  resource: Resource
  outcome: CheckedChange['outcome']
  plan: ChangePlan
  /** Identifies what the change does. */
  planId: string
  /** After a dry run: what each generated Application comes from, by its name. */
  elements?: ReadonlyMap<string, ParameterSet>
}

/**
 * Stores a set and its Applications, or changes the stored one to it, when the caller may do all of it.
 * @throws the errors of the checks; InvalidInputError for a stored set that differs without `upsert`; ConflictError when
 *   others change the set or its Applications all the time, or the set or what it changes is not what the caller saw
 */
export async function changeApplicationSet(
  context: AppsetServiceContext,
  { resource, resourceVersion }: WantedSet,
  options: ChangeOptions,
): Promise<SetChange> {
  const wanted = { resource: context.store.storable(resource), resourceVersion }
  const elements = new Map<string, ParameterSet>()
  const change = await checkedAndCommitted(context, options, async () => {
    const stored = await storedSet(context, wanted.resource)
    return checkChange(context, wanted, stored, {
      ...options,
      onElement: ({ metadata }, element) => elements.set(metadata.name, element),
    })
  })
  return options.dryRun ? { ...change, elements } : change
}

/**
 * Generates a stored set again, asking its repositories now, and stores what that changes. The set stays its author's:
 * it makes nothing that its author was not allowed, whoever has it generated.
 * @throws NotFoundError for a set that does not exist or is not visible; otherwise as `changeApplicationSet`
 */
export async function refreshApplicationSet(
  context: AppsetServiceContext,
  { namespace, name }: { namespace: string; name: string },
  options: Omit<ChangeOptions, 'upsert' | 'version'>,
): Promise<SetChange> {
  const { access, dryRun, confirmDeletions, signal } = options
  return checkedAndCommitted(context, options, async () => {
    const stored = await visibleSet(context, access, namespace, name)
    requireAnyApplication(access, 'update', stored)
    const owned = await ownedApplications(context.store, stored)
    requireSet(access, 'update', stored, owned)
    const generation = await generateChecked(context, {
      access,
      stored,
      dryRun,
      confirmDeletions,
      signal,
      action: 'update',
      candidate: stored,
      isRefresh: true,
    })
    const author = currentAuthor(stored, context.seal)
    const isAnothers = author !== undefined && author.subject.sub !== access.subject.sub
    if (isAnothers) requireAuthorized(author, generation.generated)
    return {
      ...generation,
      stored,
      owned,
      candidate: stored,
      outcome: 'unchanged',
      author: isAnothers ? author : authorOf(access, stored, generation.generated),
    }
  })
}

async function checkChange(
  context: AppsetServiceContext,
  { resource, resourceVersion }: WantedSet,
  stored: Resource | undefined,
  options: ChangeOptions & { onElement: OnElement },
): Promise<CheckedChange> {
  const { access, upsert, dryRun, confirmDeletions, version, signal, onElement } = options
  const owned = stored ? await ownedApplications(context.store, stored) : []
  const isHidden = stored !== undefined && !maySet(access, 'get', stored, owned)
  const action = stored && !isHidden ? 'update' : 'create'
  requireAnyApplication(access, action, resource)
  if (isHidden) {
    // Errors of the set itself are reported as for a free name, so an error reveals the name as late as possible.
    const asNew = { candidate: resource, stored: undefined, isRefresh: false } as const
    await generateChecked(context, { access, action, signal, dryRun: true, confirmDeletions, ...asNew })
    throw hiddenSet(access, resource)
  }
  const seen = { ...resource.metadata, ...(resourceVersion !== '' && { resourceVersion }) }
  requireSeenVersion({ ...resource, metadata: seen }, stored)
  requireSeenSet(resource, stored, version)
  const outcome = stored ? (isSameSet(stored, resource) ? 'unchanged' : 'updated') : 'created'
  if (outcome === 'updated' && !upsert) {
    throw new InvalidInputError(
      `existing ApplicationSet spec is different, use upsert flag to force update of ${resource.metadata.name}`,
    )
  }
  if (stored) requireSet(access, 'update', stored, owned)
  const candidate = stored ? withIdentityOf(resource, stored) : resource
  const generation = await generateChecked(context, {
    access,
    action,
    candidate,
    stored,
    dryRun,
    confirmDeletions,
    onElement,
    signal,
    isRefresh: false,
  })
  const author = authorOf(access, candidate, generation.generated)
  return { ...generation, stored, owned, candidate, outcome, author }
}

async function checkedAndCommitted(
  context: AppsetServiceContext,
  { access, dryRun, reviewedPlan }: Omit<ChangeOptions, 'upsert' | 'version'>,
  check: () => Promise<CheckedChange>,
): Promise<SetChange> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const checked = await check()
    const planId = planIdentity(checked)
    requireReviewedPlan(checked, planId, reviewedPlan)
    const { candidate, outcome, plan } = checked
    if (dryRun) {
      const { generated: applications } = checked
      const { changes, withheld } = plan
      const status = statusAfter(candidate.status, { applications, changes, withheld }, new Date())
      return { resource: { ...candidate, status }, outcome, plan, planId }
    }
    const { namespace = controlPlaneNamespace, name } = candidate.metadata
    const resource = await context.setLock.run(`${namespace}/${name}`, async () =>
      (await isOutdated(context, checked)) ? undefined : commitChange(context, checked, access.subject.sub),
    )
    if (resource) return { resource, outcome, plan, planId }
  }
  throw new ConflictError('the ApplicationSet or its Applications change all the time; try again')
}

function storedSet({ store }: Pick<AppsetServiceContext, 'store'>, { metadata }: Resource) {
  return store.get('ApplicationSet', metadata.namespace ?? controlPlaneNamespace, metadata.name)
}

/** @throws ConflictError for a set that is not, or no longer, the one that its author saw */
function requireSeenSet({ metadata }: Resource, stored: Resource | undefined, version: string): void {
  if (stored) requireDecidedVersion(stored, version)
  else if (version !== '') {
    throw new ConflictError(`ApplicationSet ${metadata.name} was deleted by somebody else; nothing is stored`)
  }
}

/** Only those who may see the set learn that its name is taken. */
function hiddenSet({ subject }: Access, wanted: Resource) {
  const [object = '*/*'] = deniableObjectsOf(wanted, [])
  return rejection(subject, 'applications', 'create', object)
}
