import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { AlreadyExistsError, ConflictError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutate, type ResourceStore, type ResourceWrite } from '@wadi/resources/store/resource-store.ts'

/** A write of an object that is known: a creation without `before`, a deletion without `after`. */
export type KnownChange = { before: Resource; after?: Resource } | { before?: undefined; after: Resource }

/** Attempts at writing one object whose status changes meanwhile. */
const writeAttempts = 20

/** Objects that are written at once: more would keep other calls waiting. */
const writesAtOnce = 100

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
 * Creates, replaces and deletes objects in the given order, statuses aside, those that are stored as they were known;
 * one that is gone already is none to delete.
 * @throws ConflictError when one is not as it was known; those before it are then written, but for up to 100
 */
export async function writeUnchanged(
  store: ResourceStore,
  changes: readonly KnownChange[],
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < changes.length; at += writesAtOnce) {
    await nextTurn()
    signal.throwIfAborted()
    await writeTogether(store, changes.slice(at, at + writesAtOnce))
  }
}

async function writeTogether(store: ResourceStore, changes: readonly KnownChange[]): Promise<void> {
  let left = changes
  for (let attempt = 1; ; attempt += 1) {
    const planned: { change: KnownChange; write: ResourceWrite }[] = []
    for (const change of left) {
      const write = await writeOf(store, change)
      if (write) planned.push({ change, write })
    }
    const { written, error } = await store.writeAll(planned.map(({ write }) => write))
    const failed = planned[written]
    if (!error || !failed) return
    if (written > 0) attempt = 1
    if (!isRace(error) || attempt === writeAttempts) throw error
    left = left.slice(left.indexOf(failed.change))
  }
}

/** The write that makes a change of the object as it is stored now; undefined when nothing is left to do. */
async function writeOf(
  store: ResourceStore,
  { before, after }: KnownChange,
): Promise<ResourceWrite | undefined> {
  const { kind, metadata } = before ?? after
  const current = await store.get(kind, metadata.namespace ?? controlPlaneNamespace, metadata.name)
  if (!before) {
    if (current) throw changedMeanwhile(after)
    return { action: 'create', resource: after }
  }
  if (!current) {
    if (after) throw changedMeanwhile(before)
    return undefined
  }
  requireUnchanged(before, current)
  if (!after) return { action: 'delete', resource: current }
  const { resourceVersion = '' } = current.metadata
  return { action: 'update', resource: { ...after, metadata: { ...after.metadata, resourceVersion } } }
}

/** Returns true if somebody wrote one of the objects after it was read. */
function isRace(error: unknown): boolean {
  return [AlreadyExistsError, ConflictError, NotFoundError].some((kind) => error instanceof kind)
}

/** Thrown when somebody else wrote or removed an object after it was read. */
export function changedMeanwhile({ kind, metadata }: Resource, cause?: Error): ConflictError {
  const { namespace = controlPlaneNamespace, name } = metadata
  const message = `${kind} ${namespace}/${name} was changed by somebody else in the meantime; try again`
  return new ConflictError(message, cause && { cause })
}

function requireUnchanged(before: Resource, current: Resource): void {
  if (!isUnchanged(before, current)) throw changedMeanwhile(before)
}

function withoutStatus({ status: _status, metadata, ...rest }: Resource) {
  const { resourceVersion: _version, ...kept } = metadata
  return { ...rest, metadata: kept }
}
