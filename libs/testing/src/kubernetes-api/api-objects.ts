import type { Resource } from '@wadi/resources/resource.ts'
import { answerRequest } from './api-handler.ts'
import type { ReceivedRequest } from './api-request.ts'
import { builtInKinds, type KindDefinition } from './kind-definition.ts'
import { objectSelector } from './object-selector.ts'
import { type KindStore, ObjectStore, type StoredChange } from './object-store.ts'
import { ObjectWrites } from './object-writes.ts'
import { assertWatchable, type RunningWatch, startWatch, type WatchOutput } from './watch-stream.ts'

/** The objects of a cluster and what the Kubernetes API answers about them, without a connection. */
export class ApiObjects {
  /** True if a watch may begin with a list. */
  canStreamLists = true
  readonly #objects = new ObjectStore()
  readonly #watches = new Set<RunningWatch>()

  /** @param kinds the kinds beside those that every cluster has */
  constructor(kinds: readonly KindDefinition[] = []) {
    for (const kind of [...builtInKinds, ...kinds]) this.addKind(kind)
  }

  addKind(kind: KindDefinition): void {
    this.#objects.addKind(kind)
  }

  /** Watches that run now. */
  get watches(): number {
    return this.#watches.size
  }

  /** The version of the last change. */
  get version(): number {
    return this.#objects.version
  }

  /** The stores of all kinds. */
  get stores(): readonly KindStore[] {
    return this.#objects.stores
  }

  get(object: Pick<Resource, 'apiVersion' | 'kind' | 'metadata'>): Resource | undefined {
    return this.#objects.storeOfKind(object).get(object.metadata.namespace, object.metadata.name)
  }

  list(kind: Pick<Resource, 'apiVersion' | 'kind'>): Resource[] {
    return this.#objects.storeOfKind(kind).list()
  }

  /** Creates an object, or changes it by a merge patch, without a request; its namespace is created if there is none. */
  put(object: Resource): Resource {
    const { namespace, name } = object.metadata
    const store = this.#objects.storeOfKind(object)
    const writes = new ObjectWrites(this.#objects, store)
    if (namespace !== undefined) this.#ensureNamespace(namespace)
    return store.get(namespace, name) === undefined
      ? writes.create(namespace, object)
      : writes.patch(namespace, name, object, false)
  }

  /** Removes an object without a request. */
  remove(object: Pick<Resource, 'apiVersion' | 'kind' | 'metadata'>): void {
    const { namespace, name } = object.metadata
    new ObjectWrites(this.#objects, this.#objects.storeOfKind(object)).delete(namespace, name, undefined)
  }

  /** Calls back with each change of a kind. */
  onChange(kind: Pick<Resource, 'apiVersion' | 'kind'>, listener: (change: StoredChange) => void): void {
    this.#objects.storeOfKind(kind).listeners.add(listener)
  }

  /** Sends a bookmark to every watch that wants them, after other kinds have moved the version on. */
  bookmark(): void {
    this.#objects.advance()
    for (const watch of this.#watches) watch.bookmark()
  }

  /** Ends every watch, as a server does when their time is over. */
  endWatches(): void {
    for (const watch of this.#watches) watch.end()
  }

  /** Forgets the history: a watch from a version before now gets 410. */
  compact(): void {
    this.#objects.compact()
  }

  /** Answers everything but a watch: the status and the body. @throws ApiFailure */
  answer(request: ReceivedRequest, body: unknown): { readonly status: number; readonly body: unknown } {
    return answerRequest(this.#objects, request, body)
  }

  /**
   * Begins a watch.
   * @param begin is called once the request is found to be one, and returns where the events go
   * @throws ApiFailure for parameters that a server rejects
   */
  watch({ group, version, plural, query, namespace }: ReceivedRequest, begin: () => WatchOutput): void {
    const store = this.#objects.kind(group, version, plural)
    assertWatchable(store, query, this.canStreamLists)
    const matches = objectSelector(store.kind, namespace, query)
    const output = begin()
    const watch = startWatch(this.#objects, store, query, matches, output)
    if (watch === undefined) return
    this.#watches.add(watch)
    output.onClose(() => this.#watches.delete(watch))
  }

  #ensureNamespace(name: string): void {
    const namespaces = this.#objects.kind('', 'v1', 'namespaces')
    if (namespaces.get(undefined, name) !== undefined) return
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    new ObjectWrites(this.#objects, namespaces).create(undefined, namespace)
  }
}
