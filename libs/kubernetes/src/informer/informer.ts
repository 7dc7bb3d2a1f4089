import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ApiResource, ObjectKey } from '../client/api-resource.ts'
import type { Deletion, KubernetesClient } from '../client/kubernetes-client.ts'
import { type CacheChange, ObjectCache } from './object-cache.ts'
import { Reflector } from './reflector.ts'

/** Which objects an informer follows, and what it keeps of them. */
export interface InformerOptions<Value> {
  readonly client: KubernetesClient
  readonly resource: ApiResource
  /** One watch for each; one watch of all namespaces when it is missing. */
  readonly namespaces?: readonly string[]
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Returns the cached form of an object, or undefined to cache nothing. It must be quick. */
  readonly project: (object: Resource) => Value | undefined
  /** Called for what is tried again, and for what a projection or a handler throws. */
  readonly onError: (error: unknown) => void
}

/** A watch that waits to retry. */
interface WatchFailure {
  /** The last one. */
  readonly error: unknown
  /** The time of the first, as of `performance.now()`. */
  readonly since: number
}

/** The state of what an informer follows. */
interface InformerTrouble extends Partial<WatchFailure> {
  /** True once everything was listed. */
  readonly isSynced: boolean
}

/** Is called for each change, in their order for each object; what takes long must be put off. */
export type ChangeHandler<Value> = (change: CacheChange<Value>) => void

/** A watched cache of a kind: reads come from memory, and own writes are visible at once. */
export class Informer<Value> implements AsyncDisposable {
  readonly #options: InformerOptions<Value>
  readonly #end = new AbortController()
  readonly #handlers = new Set<ChangeHandler<Value>>()
  /** By namespace; with the key undefined, of all namespaces. */
  readonly #caches = new Map<string | undefined, ObjectCache<Value>>()
  readonly #running: Promise<unknown>
  readonly #synced: Promise<unknown>
  #unsynced: number
  /** The failure that each watch waits to retry after. */
  readonly #errors = new Map<ObjectCache<Value>, WatchFailure>()

  constructor(options: InformerOptions<Value>) {
    this.#options = options
    const { client, resource, labelSelector, fieldSelector, namespaces = [undefined] } = options
    const scopes = [...new Set<string | undefined>(namespaces)]
    const listed: Promise<void>[] = []
    const running: Promise<void>[] = []
    for (const namespace of scopes) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const cache = this.#cache(resolve)
      this.#caches.set(namespace, cache)
      listed.push(promise)
      const selection = { namespace, labelSelector, fieldSelector }
      running.push(new Reflector({ client, resource, selection }, cache).run(this.#end.signal))
    }
    this.#unsynced = scopes.length
    this.#synced = Promise.all(listed)
    this.#running = Promise.all(running)
  }

  /**
   * Resolves when everything that exists is in the cache.
   * @throws CanceledError when the informer is closed before, and the reason of the signal
   */
  async synced(signal?: AbortSignal): Promise<void> {
    const ended = signal === undefined ? this.#end.signal : AbortSignal.any([this.#end.signal, signal])
    await untilAborted(this.#synced, ended, `the first list of ${this.#options.resource.plural}`)
  }

  /** True `isSynced` once everything was listed, and the error that has kept the cache from being current the longest. For readiness. */
  get trouble(): InformerTrouble {
    const [failure] = [...this.#errors.values()].toSorted((a, b) => a.since - b.since)
    return { isSynced: this.#unsynced === 0, error: undefined, ...failure }
  }

  get(key: ObjectKey): Value | undefined {
    return (this.#caches.get(key.namespace) ?? this.#caches.get(undefined))?.get(key)
  }

  /** Returns the cached values of one namespace or of all, in no order. */
  list(namespace?: string): Value[] {
    return this.#entries(namespace).map(({ value }) => value)
  }

  /** Calls a handler with `added` for everything that is there and then with each change. Returns how to end that. */
  onChange(handler: ChangeHandler<Value>): () => void {
    this.#handlers.add(handler)
    for (const { key, value } of this.#entries(undefined)) {
      this.#call(handler, { type: 'added', key, value })
    }
    return () => void this.#handlers.delete(handler)
  }

  /** Makes the answer to a write of this process visible at once, and keeps it until the watch has passed it. */
  wrote(object: Resource): void {
    this.#cacheOf(object.metadata.namespace)?.wrote(object)
  }

  /** Makes a deletion by this process visible at once. */
  deleted(key: ObjectKey, deletion: Deletion): void {
    if (!deletion.isGone) this.wrote(deletion.object)
    else if (deletion.uid !== undefined) this.#cacheOf(key.namespace)?.deleted(key, deletion.uid)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  #cache(resolve: () => void): ObjectCache<Value> {
    let isSynced = false
    const cache: ObjectCache<Value> = new ObjectCache<Value>({
      project: this.#options.project,
      onChange: (change) => {
        for (const handler of this.#handlers) this.#call(handler, change)
      },
      onFollowing: () => void this.#errors.delete(cache),
      onReplaced: () => {
        if (!isSynced) this.#unsynced--
        isSynced = true
        resolve()
      },
      onFailed: (error) => {
        const { since } = this.#errors.get(cache) ?? { since: performance.now() }
        this.#errors.set(cache, { error, since })
        this.#options.onError(error)
      },
      onError: this.#options.onError,
    })
    return cache
  }

  #cacheOf(namespace: string | undefined): ObjectCache<Value> | undefined {
    return this.#caches.get(namespace) ?? this.#caches.get(undefined)
  }

  #entries(namespace: string | undefined) {
    const all = [...this.#caches.values()].flatMap((cache) => [...cache.entries()])
    return namespace === undefined ? all : all.filter(({ key }) => key.namespace === namespace)
  }

  #call(handler: ChangeHandler<Value>, change: CacheChange<Value>): void {
    try {
      handler(change)
    } catch (error) {
      this.#options.onError(error)
    }
  }
}
