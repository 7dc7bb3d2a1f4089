import { DomainError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { byCodeUnits } from '@wadi/order/by-name.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type {
  ListOptions,
  ResourceEvent,
  ResourceList,
  ResourcePatch,
  ResourceStore,
  ResourceWrite,
  WatchOptions,
  WrittenObjects,
} from '@wadi/resources/store/resource-store.ts'
import type { KubernetesClient } from '../client/kubernetes-client.ts'
import { compareResourceVersions } from '../informer/resource-version.ts'
import type { KindTrouble } from './followed-kind.ts'
import { FollowedKinds, type KubernetesStoreSettings } from './followed-kinds.ts'
import { ObjectWriter } from './object-writer.ts'
import { storedKind } from './stored-kinds.ts'

/** A store of the objects of a cluster. */
export interface KubernetesStore extends ResourceStore {
  /** Follows kinds from now on, before their first read. @throws InvalidInputError for a kind that is not stored */
  follow(kinds: readonly string[]): void
  /** The reasons why followed kinds are not known, or not current. */
  readonly troubles: readonly KindTrouble[]
}

/**
 * Opens a store of the objects of a cluster. A kind is followed from its first read or watch on. A Secret or ConfigMap that is not
 * followed is read from the API each time, and is neither in lists nor in watches; of other kinds there is only what is followed.
 * Versions of lists hold for this store alone: a watch from
 * another one's delivers all objects. Of an Application's status, the parts that grow (history, resources, operationState, summary)
 * are not kept. The client stays open when the store is closed.
 * @throws InvalidInputError for Secrets that are selected by neither name nor label
 */
export function openKubernetesStore(
  client: KubernetesClient,
  settings: KubernetesStoreSettings,
): KubernetesStore {
  return new FollowingStore(client, settings)
}

class FollowingStore implements KubernetesStore {
  readonly #followed: FollowedKinds
  readonly #writer: ObjectWriter
  readonly #closed = new AbortController()

  constructor(client: KubernetesClient, settings: KubernetesStoreSettings) {
    this.#followed = new FollowedKinds(client, settings)
    this.#writer = new ObjectWriter(client, this.#followed)
  }

  follow(kinds: readonly string[]): void {
    for (const kind of kinds) this.#followed.start(kind)
  }

  get troubles(): readonly KindTrouble[] {
    return this.#followed.troubles
  }

  storable(resource: Resource): Resource {
    return this.#followed.labelled(resource)
  }

  async get(
    kind: string,
    namespace: string,
    name: string,
    { atLeast = '', isCurrent = false }: { atLeast?: string; isCurrent?: boolean } = {},
  ): Promise<Resource | undefined> {
    const followed = this.#followed.start(kind)
    const key = { namespace, name }
    const { isReadAnywhere } = storedKind(kind)
    const isFollowed = isReadAnywhere ? followed.isFollowed(key) : followed.mayFollow(key)
    if (isFollowed) await followed.synced(this.#closed.signal)
    else if (!isReadAnywhere) return undefined
    const known = followed.get(key)
    if (!isCurrent && known !== undefined && isAtLeast(known, atLeast)) return known
    if (!isCurrent && isFollowed && atLeast === '') return undefined
    try {
      const read = await this.#writer.read(kind, key)
      return isReadAnywhere || followed.selects(read) ? read : undefined
    } catch (error) {
      if (error instanceof NotFoundError) return undefined
      throw error
    }
  }

  async list(kind: string, options: ListOptions = {}): Promise<ResourceList> {
    const hasLabels = parseLabelSelector(options.labelSelector ?? '')
    const followed = this.#followed.start(kind)
    await followed.synced(this.#closed.signal)
    const items = followed.list(options.namespace).filter(({ metadata }) => hasLabels(metadata.labels))
    return { items: items.toSorted(byNamespaceAndName), resourceVersion: followed.version }
  }

  async create(resource: Resource): Promise<Resource> {
    return this.#writer.create(resource)
  }

  async update(resource: Resource): Promise<Resource> {
    return this.#writer.update(resource)
  }

  async updateStatus(resource: Resource): Promise<Resource> {
    return this.#writer.updateStatus(resource)
  }

  async patch(
    kind: string,
    namespace: string,
    name: string,
    patch: ResourcePatch,
    options: { resourceVersion?: string } = {},
  ): Promise<Resource> {
    return this.#writer.patch(kind, { namespace, name }, patch, options.resourceVersion)
  }

  async delete(
    kind: string,
    namespace: string,
    name: string,
    options: { resourceVersion?: string } = {},
  ): Promise<void> {
    await this.#writer.delete(kind, { namespace, name }, options.resourceVersion)
  }

  async writeAll(writes: readonly ResourceWrite[]): Promise<WrittenObjects> {
    for (const [written, write] of writes.entries()) {
      try {
        await this.#writeOne(write)
      } catch (error) {
        if (error instanceof DomainError) return { written, error }
        throw error
      }
    }
    return { written: writes.length }
  }

  async *watch(kind: string, options: WatchOptions): AsyncGenerator<ResourceEvent> {
    const signal = AbortSignal.any([options.signal, this.#closed.signal])
    if (signal.aborted) return
    const followed = this.#followed.start(kind)
    try {
      await followed.synced(signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    yield* followed.events(options.fromResourceVersion, signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
    await this.#followed[Symbol.asyncDispose]()
  }

  async #writeOne({ action, resource }: ResourceWrite): Promise<void> {
    const { kind, metadata } = resource
    if (action === 'create') await this.#writer.create(resource)
    else if (action === 'update') await this.#writer.update(resource)
    else await this.#writer.delete(kind, metadata, metadata.resourceVersion)
  }
}

function isAtLeast({ metadata }: Resource, version: string): boolean {
  return compareResourceVersions(metadata.resourceVersion ?? '', version) >= 0
}

function byNamespaceAndName(a: Resource, b: Resource): number {
  return (
    byCodeUnits(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
    byCodeUnits(a.metadata.name, b.metadata.name)
  )
}
