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
import { Channel } from '../../virtual/channel.ts'
import type { StoreServer } from './store-server.ts'

/** The connection of one process to the store's server. */
export interface StoreLink {
  /** @throws UnavailableError if there is no answer, whether it took effect or not */
  ask<Answer>(label: string, ask: (server: StoreServer) => Answer): Promise<Answer>
  /** Receives the changes of a kind in their order, some time after they were made. */
  follow(kind: string, from: string | undefined, receive: (event: ResourceEvent) => void): Disposable
}

/** The store as one process has it: reads are answered by the server, as those of a file are. */
export class ModelStore implements ResourceStore {
  readonly #link: StoreLink
  readonly #closed = new AbortController()

  constructor(link: StoreLink) {
    this.#link = link
  }

  storable(resource: Resource): Resource {
    return resource
  }

  async get(kind: string, namespace: string, name: string): Promise<Resource | undefined> {
    return this.#link.ask(`get ${kind} ${name}`, (server) => server.get(kind, namespace, name))
  }

  async list(kind: string, { namespace, labelSelector = '' }: ListOptions = {}): Promise<ResourceList> {
    const hasLabels = parseLabelSelector(labelSelector)
    const all = await this.#link.ask(`list ${kind}`, (server) => ({
      items: server.list(kind),
      resourceVersion: server.version,
    }))
    const items = all.items.filter(
      ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) && hasLabels(metadata.labels),
    )
    return { items, resourceVersion: all.resourceVersion }
  }

  async create(resource: Resource): Promise<Resource> {
    const { kind, metadata } = resource
    return this.#link.ask(`create ${kind} ${metadata.name}`, (server) => server.create(resource))
  }

  async update(resource: Resource): Promise<Resource> {
    const { kind, metadata } = resource
    return this.#link.ask(`update ${kind} ${metadata.name}`, (server) => server.update(resource))
  }

  async updateStatus(resource: Resource): Promise<Resource> {
    const { kind, metadata } = resource
    return this.#link.ask(`update status of ${kind} ${metadata.name}`, (server) =>
      server.updateStatus(resource),
    )
  }

  async patch(
    kind: string,
    namespace: string,
    name: string,
    patch: ResourcePatch,
    options: { resourceVersion?: string } = {},
  ): Promise<Resource> {
    const current = { kind, metadata: { namespace, name, ...options } }
    return this.#link.ask(`patch ${kind} ${name}`, (server) => server.patch(current, patch))
  }

  async delete(
    kind: string,
    namespace: string,
    name: string,
    options: { resourceVersion?: string } = {},
  ): Promise<void> {
    const resource = { kind, metadata: { namespace, name, ...options } }
    await this.#link.ask(`delete ${kind} ${name}`, (server) => server.delete(resource))
  }

  async writeAll(writes: readonly ResourceWrite[]): Promise<WrittenObjects> {
    return this.#link.ask(`write ${writes.length} objects`, (server) => server.writeAll(writes))
  }

  async *watch(kind: string, { fromResourceVersion, signal }: WatchOptions): AsyncGenerator<ResourceEvent> {
    const events = new Channel<ResourceEvent>()
    const ended = AbortSignal.any([signal, this.#closed.signal])
    if (ended.aborted) return
    ended.addEventListener('abort', () => events.end(), { once: true })
    using _ = this.#link.follow(kind, fromResourceVersion, (event) => events.push(event))
    for await (const event of events) {
      if (ended.aborted) return
      yield event
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
  }
}
