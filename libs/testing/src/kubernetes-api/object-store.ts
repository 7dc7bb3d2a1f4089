import { apiVersionOf } from '@wadi/kubernetes/client/api-resource.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { ApiFailure, expired } from './api-failure.ts'
import type { KindDefinition } from './kind-definition.ts'

/** One change of an object; what it was before, what it is now. */
export interface StoredChange {
  readonly version: number
  readonly previous: Resource | undefined
  readonly current: Resource | undefined
}

/** Called for each change of a kind. */
type ChangeListener = (change: StoredChange) => void

/** The objects of one kind and their history. Objects are never changed in place, so a list of them is a moment. */
export class KindStore {
  readonly kind: KindDefinition
  readonly #objects = new Map<string, Resource>()
  readonly #history: StoredChange[] = []
  readonly #listeners = new Set<ChangeListener>()

  constructor(kind: KindDefinition) {
    this.kind = kind
  }

  get(namespace: string | undefined, name: string): Resource | undefined {
    return this.#objects.get(`${namespace ?? ''}/${name}`)
  }

  /** In the order of etcd's keys. */
  list(): Resource[] {
    return [...this.#objects]
      .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([, object]) => object)
  }

  get listeners(): Set<ChangeListener> {
    return this.#listeners
  }

  /** Stores or removes the object of a change and reports it. */
  apply(change: StoredChange): void {
    const { namespace = '', name } = (change.current ?? change.previous)?.metadata ?? { name: '' }
    const key = `${namespace}/${name}`
    if (change.current === undefined) this.#objects.delete(key)
    else this.#objects.set(key, change.current)
    this.#history.push(change)
    for (const listener of this.#listeners) listener(change)
  }

  /** Returns the changes after a version. */
  changesAfter(version: number): StoredChange[] {
    return this.#history.filter((change) => change.version > version)
  }

  forgetHistory(): void {
    this.#history.length = 0
  }
}

/** All objects of a cluster, with one version that every change moves on. */
export class ObjectStore {
  readonly #kinds = new Map<string, KindStore>()
  /** The moments of lists that are read in pages, by their token. */
  readonly #moments = new Map<string, { readonly objects: readonly Resource[]; readonly version: number }>()
  #version = 1000
  #compacted = 1000
  #tokens = 0

  get version(): number {
    return this.#version
  }

  addKind(kind: KindDefinition): void {
    const { group, version, plural } = kind.resource
    const path = `${group}/${version}/${plural}`
    if (!this.#kinds.has(path)) this.#kinds.set(path, new KindStore(kind))
  }

  /** @throws ApiFailure 404 as the real server answers for a path that it does not know */
  kind(group: string, version: string, plural: string): KindStore {
    const store = this.#kinds.get(`${group}/${version}/${plural}`)
    if (store === undefined) throw new ApiFailure(404, 'NotFound', '404 page not found')
    return store
  }

  /** The stores of all kinds. */
  get stores(): KindStore[] {
    return [...this.#kinds.values()]
  }

  /** The store of an object's kind. */
  storeOfKind({ apiVersion, kind }: Pick<Resource, 'apiVersion' | 'kind'>): KindStore {
    const found = [...this.#kinds.values()].find(({ kind: { resource } }) => {
      return resource.kind === kind && apiVersionOf(resource) === apiVersion
    })
    if (found === undefined) throw new Error(`no kind ${kind} of ${apiVersion} is served`)
    return found
  }

  /** Stores the next form of an object under a new version, or removes it; returns what watches report. */
  change(store: KindStore, previous: Resource | undefined, next: Resource | undefined): Resource {
    const version = ++this.#version
    const object = next ?? previous
    if (object === undefined) throw new Error('a change has an object')
    const versioned = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(version) },
    }
    store.apply({ version, previous, current: next === undefined ? undefined : versioned })
    return versioned
  }

  /** Moves the version on without a change of the kinds that are watched, as other kinds do in a cluster. */
  advance(): void {
    this.#version++
  }

  /** Forgets what was before now: older watches and the rest of pages are expired. */
  compact(): void {
    this.#compacted = ++this.#version
    this.#moments.clear()
    for (const store of this.#kinds.values()) store.forgetHistory()
  }

  /** @throws ApiFailure 410 for a version before the last compaction */
  assertRemembered(version: number): void {
    if (version < this.#compacted) throw expired(`too old resource version: ${version} (${this.#compacted})`)
  }

  /** Keeps a moment for the pages that follow, and returns its token. */
  keepMoment(objects: readonly Resource[], version: number): string {
    const token = `moment-${++this.#tokens}`
    this.#moments.set(token, { objects, version })
    return token
  }

  /** @throws ApiFailure 410 when the moment was compacted */
  moment(token: string): { readonly objects: readonly Resource[]; readonly version: number } {
    const moment = this.#moments.get(token)
    if (moment === undefined) {
      throw expired(
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
      )
    }
    return moment
  }
}
