import { AlreadyExistsError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutateStatus } from '@wadi/resources/store/resource-store.ts'
import { type Author, statusWithAuthor } from '../access/author.ts'
import type { AppsetServiceContext } from '../context.ts'
import { applyChanges } from './apply-changes.ts'
import { type CheckedGeneration, existingApplications } from './generated-set.ts'
import { isOwnedBy } from './owned-applications.ts'
import { statusAfter } from '../status/application-set-status.ts'
import { areUnchanged, changedMeanwhile, isUnchanged, replaceUnchanged } from './unchanged-object.ts'

/** Everything that one change was checked against, and what it does. */
export interface CheckedChange extends CheckedGeneration {
  /** The set as it was stored; undefined for a new one. */
  stored: Resource | undefined
  /** The Applications that it had. */
  owned: readonly Resource[]
  /** The set as it is to be stored. */
  candidate: Resource
  outcome: 'created' | 'updated' | 'unchanged'
  /** The author on whose behalf the Applications are made from now on. */
  author: Omit<Author, 'generation'>
}

/** Returns whether the set or an Application is not any more what the change was checked against, statuses aside. */
export async function isOutdated(
  context: Pick<AppsetServiceContext, 'store'>,
  { stored, owned, candidate, generated, existing }: CheckedChange,
): Promise<boolean> {
  const { namespace = controlPlaneNamespace, name } = candidate.metadata
  const now = await context.store.get('ApplicationSet', namespace, name)
  const isSame = stored && now ? isUnchanged(stored, now) : stored === now
  if (!isSame) return true
  const existingNow = await existingApplications(context, candidate, generated)
  const ownedNow = existingNow.filter((application) => isOwnedBy(application, candidate))
  return !areUnchanged(existing, existingNow) || !areUnchanged(owned, ownedNow)
}

/**
 * Stores the set, who it is made for, its Applications and its status, in this order: what is stored is complete without the
 * caller, so it continues when the caller leaves.
 * @throws ConflictError when somebody changes one of them at the same time
 */
export async function commitChange(
  { store, limits, events, seal }: Pick<AppsetServiceContext, 'store' | 'limits' | 'events' | 'seal'>,
  { stored, candidate, author, generated, plan, outcome }: CheckedChange,
  user: string,
): Promise<Resource> {
  const written = stored ? await replaceUnchanged(store, stored, candidate) : await created(store, candidate)
  const { namespace = controlPlaneNamespace, name, generation = 0 } = written.metadata
  const resource = await mutateStatus(store, 'ApplicationSet', namespace, name, (current) => {
    if (!isUnchanged(written, current)) throw changedMeanwhile(written)
    return { ...current, status: statusWithAuthor(current, { ...author, generation }, seal, new Date()) }
  })
  await applyChanges(store, resource, plan.changes, AbortSignal.timeout(limits.milliseconds))
  events.changed(name, outcome, plan.changes, user)
  // The caller reads how it went in the answer; the next pass finds this status as it would write it.
  const { changes, withheld } = plan
  return mutateStatus(store, 'ApplicationSet', namespace, name, (current) => {
    if (!isUnchanged(written, current)) return undefined
    const status = statusAfter(current.status, { applications: generated, changes, withheld }, new Date())
    return { ...current, status }
  })
}

async function created(store: AppsetServiceContext['store'], candidate: Resource): Promise<Resource> {
  try {
    return await store.create(candidate)
  } catch (error) {
    throw error instanceof AlreadyExistsError ? changedMeanwhile(candidate, error) : error
  }
}
