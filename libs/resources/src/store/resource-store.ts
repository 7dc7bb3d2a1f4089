import { ConflictError, type DomainError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '../resource.ts'

/** Which objects of a kind are listed; without a field that field does not narrow. */
export interface ListOptions {
  namespace?: string
  /** In kubectl's language, for example `team=a,env in (dev,prod),!legacy`. */
  labelSelector?: string
}

/** The objects of one kind at one moment, by namespace and name. */
export interface ResourceList {
  items: Resource[]
  /** The moment; a watch of this kind and this store from here misses nothing. It says nothing about other kinds. */
  resourceVersion: string
}

/** One change, or one object that a watch found when it began. */
export interface ResourceEvent {
  type: 'added' | 'modified' | 'deleted'
  /** The object after the change; for `deleted`, as it was last known. */
  resource: Resource
}

/** The start and the end of a watch. */
export interface WatchOptions {
  /** Changes after this version are delivered. Without it every existing object is delivered first, as `added`. */
  fromResourceVersion?: string
  /** Ends the watch; the iteration then returns without an error. */
  signal: AbortSignal
}

/** One of several writes; `update` and `delete` compare `resourceVersion`. */
export interface ResourceWrite {
  action: 'create' | 'update' | 'delete'
  resource: Resource
}

/** A JSON merge patch of an object. */
export type ResourcePatch = Readonly<Record<string, unknown>>

/** The result of several writes. */
export interface WrittenObjects {
  /** The number of writes made, counted from the first. */
  written: number
  /** Why the next one was not made, with the errors of the single writes; undefined when all were. */
  error?: DomainError
}

/**
 * Kubernetes-shaped objects with optimistic concurrency and watch.
 *
 * The fields `uid`, `resourceVersion`, `creationTimestamp`, `deletionTimestamp` and `generation` belong to the store: what
 * callers put there is ignored, except that `update`, `updateStatus` and `delete` compare `resourceVersion`.
 * Every returned object is the caller's own copy.
 */
export interface ResourceStore extends AsyncDisposable {
  /**
   * Returns an object as this store would store it: where several installations share namespaces, an Application or ApplicationSet has the label of
   * this one. Compare what is wanted in this form with what is stored.
   * @throws InvalidInputError for an object that belongs to another installation
   */
  storable(resource: Resource): Resource

  /**
   * Reads an object. With `atLeast`, a `resourceVersion` that a write of the object returned to any process, what is older is not
   * returned: a store that learns of writes of other processes late asks for the object then. With `isCurrent` it always asks.
   */
  get(
    kind: string,
    namespace: string,
    name: string,
    options?: { atLeast?: string; isCurrent?: boolean },
  ): Promise<Resource | undefined>

  /** @throws InvalidInputError when the label selector cannot be read. */
  list(kind: string, options?: ListOptions): Promise<ResourceList>

  /**
   * Stores a new object, without its `status`.
   * @throws AlreadyExistsError, InvalidInputError for a wrong shape or name, ResourceExhaustedError when too large.
   */
  create(resource: Resource): Promise<Resource>

  /**
   * Replaces everything but `status`; equal content changes nothing and returns the stored object.
   * @throws NotFoundError, ConflictError when `resourceVersion` or `uid` is not the stored one, InvalidInputError,
   * ResourceExhaustedError.
   */
  update(resource: Resource): Promise<Resource>

  /** Replaces `status` alone, with the errors of `update`. */
  updateStatus(resource: Resource): Promise<Resource>

  /**
   * Changes parts of an object, and nothing of `status`, by a JSON merge patch (RFC 7386): null removes, objects merge, all
   * else replaces. Without `resourceVersion` the newest object is changed, regardless of its writer; a patch that changes nothing
   * writes nothing.
   * @throws NotFoundError, ConflictError when `resourceVersion` is given and not the stored one, InvalidInputError,
   * ResourceExhaustedError.
   */
  patch(
    kind: string,
    namespace: string,
    name: string,
    patch: ResourcePatch,
    options?: { resourceVersion?: string },
  ): Promise<Resource>

  /**
   * Removes an object. One with finalizers stays, with `deletionTimestamp`, until an update takes the last of them away;
   * what it owns stays.
   * @throws NotFoundError, and ConflictError when `resourceVersion` is given and not the stored one.
   */
  delete(kind: string, namespace: string, name: string, options?: { resourceVersion?: string }): Promise<void>

  /**
   * Makes writes in their order up to the first that fails; those before it stay made. Many small ones may take far less
   * time so.
   */
  writeAll(writes: readonly ResourceWrite[]): Promise<WrittenObjects>

  /**
   * Delivers every change of a kind, including those of other processes. Order is promised within one object alone.
   * A watch that falls behind the store's log lists again by itself: it then delivers differences instead of single
   * changes, and a deletion may carry the object's identity alone. A `fromResourceVersion` older than the log, or of another
   * store, is treated as none, so a consumer that remembers objects from before drops those that are not delivered again.
   */
  watch(kind: string, options: WatchOptions): AsyncIterable<ResourceEvent>
}

const mutateAttempts = 20

type Change = (current: Resource) => Resource | undefined

/** Returns the patch of an object as it is now, or undefined to leave it alone. */
type PartChange = (current: Resource) => Awaitable<ResourcePatch | undefined>

type Awaitable<Value> = Value | Promise<Value>

/**
 * Reads an object, lets `change` make its next form and updates it, again from the start when somebody was faster.
 * `change` may run several times, may work on its argument and returns undefined to leave the object alone.
 * Returns the stored object.
 * @throws NotFoundError when there is no such object, ConflictError after 20 lost races.
 */
export async function mutate(
  store: ResourceStore,
  kind: string,
  namespace: string,
  name: string,
  change: Change,
): Promise<Resource> {
  const versioned = versionedChange(change)
  return retryConflicts(store, kind, namespace, name, versioned, (next) => store.update(next))
}

/** Does what `mutate` does to `status` alone. */
export async function mutateStatus(
  store: ResourceStore,
  kind: string,
  namespace: string,
  name: string,
  change: Change,
): Promise<Resource> {
  const versioned = versionedChange(change)
  return retryConflicts(store, kind, namespace, name, versioned, (next) => store.updateStatus(next))
}

/** Does what `mutate` does by a patch, so that what others write to the rest of the object meanwhile stays. */
export async function mutatePart(
  store: ResourceStore,
  kind: string,
  namespace: string,
  name: string,
  change: PartChange,
): Promise<Resource> {
  return retryConflicts(store, kind, namespace, name, change, (patch, resourceVersion) =>
    store.patch(kind, namespace, name, patch, resourceVersion === undefined ? {} : { resourceVersion }),
  )
}

/** Returns the change with the version of what it changes, whatever it does to that. */
function versionedChange(change: Change): Change {
  return (current) => {
    const { resourceVersion } = current.metadata
    const next = change(current)
    return (
      next && {
        ...next,
        metadata: { ...next.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      }
    )
  }
}

async function retryConflicts<Next>(
  store: ResourceStore,
  kind: string,
  namespace: string,
  name: string,
  change: (current: Resource) => Awaitable<Next | undefined>,
  write: (next: Next, resourceVersion: string | undefined) => Promise<Resource>,
): Promise<Resource> {
  for (let attempt = 1; ; attempt++) {
    const current = await store.get(kind, namespace, name)
    if (current === undefined) {
      throw new NotFoundError(`${kind} ${namespace}/${name} does not exist`)
    }
    // `change` may work on its argument.
    const { resourceVersion } = current.metadata
    const next = await change(current)
    if (next === undefined) return current
    try {
      return await write(next, resourceVersion)
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === mutateAttempts) throw error
    }
  }
}
