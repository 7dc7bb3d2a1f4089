import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { ownerReference } from './owned-applications.ts'
import type { PlannedChange } from './plan-application-changes.ts'
import { type KnownChange, writeUnchanged } from './unchanged-object.ts'

/**
 * Writes what a plan says, new Applications first and deletions last. An Application whose status alone has changed
 * since the plan is written all the same, since a status is never overwritten.
 * @throws ConflictError when an Application is not as the plan knew it; what was written before stays written
 */
export async function applyChanges(
  store: ResourceStore,
  stored: Resource,
  changes: readonly PlannedChange[],
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerReference(stored)
  const of = (action: PlannedChange['action']) => changes.filter((change) => change.action === action)
  const writes: KnownChange[] = [
    ...of('create').flatMap(({ after }) => (after ? { after: withOwner(after, owner) } : [])),
    ...of('update').flatMap(({ before, after }) => (before && after ? { before, after } : [])),
    ...of('delete').flatMap(({ before }) => (before ? { before } : [])),
  ]
  await writeUnchanged(store, writes, signal)
}

function withOwner(application: Resource, owner: ReturnType<typeof ownerReference>): Resource {
  return { ...application, metadata: { ...application.metadata, ownerReferences: [owner] } }
}
