import { isDeepStrictEqual } from 'node:util'
import { ConflictError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutate, type ResourceStore } from '@wadi/resources/resource-store.ts'

/** How often a deletion looks again because the status of the object changed meanwhile. */
const deletionAttempts = 20

/** Returns whether two states of an object differ at most in the status, which is others' to write. */
export function isUnchanged(before: Resource, now: Resource): boolean {
  return isDeepStrictEqual(withoutStatus(before), withoutStatus(now))
}

/** Returns whether two lists hold the same objects in the same order, statuses aside. */
export function areUnchanged(before: readonly Resource[], now: readonly Resource[]): boolean {
  return (
    before.length === now.length &&
    before.every((resource, index) => {
      const other = now[index]
      return other !== undefined && isUnchanged(resource, other)
    })
  )
}

/**
 * Replaces everything but the status of an object that is stored as it was known, and returns what is stored.
 * @throws ConflictError when it is not as it was known
 */
export async function replaceUnchanged(
  store: ResourceStore,
  before: Resource,
  after: Resource,
): Promise<Resource> {
  const { kind, metadata } = before
  const { namespace = controlPlaneNamespace, name } = metadata
  try {
    return await mutate(store, kind, namespace, name, (current) => {
      requireUnchanged(before, current)
      return after
    })
  } catch (error) {
    throw error instanceof NotFoundError ? changedMeanwhile(before, error) : error
  }
}

/**
 * Deletes an object that is stored as it was known; one that is gone already is none to delete.
 * @throws ConflictError when it is not as it was known
 */
export async function deleteUnchanged(store: ResourceStore, before: Resource): Promise<void> {
  const { kind, metadata } = before
  const { namespace = controlPlaneNamespace, name } = metadata
  for (let attempt = 1; ; attempt += 1) {
    const current = await store.get(kind, namespace, name)
    if (!current) return
    requireUnchanged(before, current)
    const { resourceVersion = '' } = current.metadata
    try {
      return await store.delete(kind, namespace, name, { resourceVersion })
    } catch (error) {
      if (error instanceof NotFoundError) return
      if (!(error instanceof ConflictError) || attempt === deletionAttempts) throw error
    }
  }
}

/** That somebody else wrote or removed an object between a look at it and the change. */
export function changedMeanwhile({ kind, metadata }: Resource, cause?: Error): ConflictError {
  const { namespace = controlPlaneNamespace, name } = metadata
  const message = `${kind} ${namespace}/${name} was changed by somebody else meanwhile; try again`
  return new ConflictError(message, cause && { cause })
}

function requireUnchanged(before: Resource, current: Resource): void {
  if (!isUnchanged(before, current)) throw changedMeanwhile(before)
}

function withoutStatus({ status: _status, metadata, ...rest }: Resource) {
  const { resourceVersion: _version, ...kept } = metadata
  return { ...rest, metadata: kept }
}
