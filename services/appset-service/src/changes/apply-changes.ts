import { AlreadyExistsError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/resource-store.ts'
import { ownerReference } from './owned-applications.ts'
import type { PlannedChange } from './plan-changes.ts'
import { changedMeanwhile, deleteUnchanged, replaceUnchanged } from './unchanged-object.ts'

/**
 * Writes what a plan says, new Applications first and deletions last. An Application whose status alone has changed
 * since the plan is written all the same, since a status is never overwritten.
 * @throws ConflictError when an Application is not as the plan knew it; what came before stays written
 */
export async function applyChanges(
  store: ResourceStore,
  stored: Resource,
  changes: readonly PlannedChange[],
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerReference(stored)
  const of = (action: PlannedChange['action']) => changes.filter((change) => change.action === action)
  for (const { after } of of('create')) {
    signal.throwIfAborted()
    if (after) await create(store, withOwner(after, owner))
  }
  for (const { before, after } of of('update')) {
    signal.throwIfAborted()
    if (before && after) await replaceUnchanged(store, before, after)
  }
  for (const { before } of of('delete')) {
    signal.throwIfAborted()
    if (before) await deleteUnchanged(store, before)
  }
}

async function create(store: ResourceStore, application: Resource): Promise<void> {
  try {
    await store.create(application)
  } catch (error) {
    throw error instanceof AlreadyExistsError ? changedMeanwhile(application, error) : error
  }
}

function withOwner(application: Resource, owner: ReturnType<typeof ownerReference>): Resource {
  return { ...application, metadata: { ...application.metadata, ownerReferences: [owner] } }
}
