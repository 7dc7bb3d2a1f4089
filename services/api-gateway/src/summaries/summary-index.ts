import { isDeepStrictEqual } from 'node:util'
import { type HydratedBranch, readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { by, byName } from '@wadi/order/by-name.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import type { ResourceEvent, ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { type Summary, type SummarySource, summaryOf, summarySource } from './application-summary.ts'

/** One Application of the index; its summary is another object only when it says something else. */
export interface IndexedApplication {
  /** Its `resourceKey`. */
  readonly key: string
  readonly source: SummarySource
  readonly summary: Summary
}

/**
 * The summaries of all Applications, kept up to date by watches, so that a page of thousands costs no reading of objects. It
 * knows of a change a moment after the store does.
 */
export interface SummaryIndex extends AsyncDisposable {
  /** All Applications by namespace and name. */
  readonly sorted: readonly IndexedApplication[]
  /** Returns an Application by its `resourceKey`. */
  get(key: string): IndexedApplication | undefined
  /** Returns the Applications that are hydrated to a branch, by namespace and name. */
  onBranch(branchKey: string): readonly IndexedApplication[]
  /** Returns the record of a hydrated branch. */
  record(branchKey: string): HydratedBranch | undefined
  /** Calls `listener` with the key of each Application whose summary is gone, new or may be another one, until it is disposed. */
  subscribe(listener: (key: string) => void): Disposable
}

/** Reads the Applications and the records of their branches, and follows their changes until the index is disposed. */
export async function followSummaries(store: Pick<ResourceStore, 'list' | 'watch'>): Promise<SummaryIndex> {
  const index = new WatchedSummaries()
  const end = new AbortController()
  const watches: AsyncIterable<ResourceEvent>[] = []
  // Records first, so that each summary is computed once.
  for (const kind of ['HydratedBranch', 'Application']) {
    const { items, resourceVersion } = await store.list(kind)
    for (const resource of items) index.put(resource)
    watches.push(store.watch(kind, { fromResourceVersion: resourceVersion, signal: end.signal }))
  }
  const followed = Promise.all(watches.map((events) => follow(events, index)))
  return Object.assign(index, {
    [Symbol.asyncDispose]: async () => {
      end.abort()
      await followed
    },
  })
}

async function follow(events: AsyncIterable<ResourceEvent>, index: WatchedSummaries): Promise<void> {
  for await (const { type, resource } of events) {
    if (type === 'deleted') index.remove(resource)
    else index.put(resource)
  }
}

/** An Application whose summary is joined with the record of its branch when somebody looks at it, as a record changes twice a run. */
class JoinedApplication implements IndexedApplication {
  readonly key: string
  readonly source: SummarySource
  readonly #records: ReadonlyMap<string, HydratedBranch>
  #summary: Summary | undefined
  /** The record that the summary was made from; null before it was made. */
  #record: HydratedBranch | undefined | null = null

  /** @param before its summary so far */
  constructor(
    key: string,
    source: SummarySource,
    records: ReadonlyMap<string, HydratedBranch>,
    before: Summary | undefined,
  ) {
    this.key = key
    this.source = source
    this.#records = records
    this.#summary = before
  }

  get summary(): Summary {
    const { branchKey } = this.source
    const record = branchKey === undefined ? undefined : this.#records.get(branchKey)
    if (this.#summary && this.#record === record) return this.#summary
    const next = summaryOf(this.source, record)
    if (!this.#summary || !isDeepStrictEqual(this.#summary, next)) this.#summary = next
    this.#record = record
    return this.#summary
  }
}

const byNamespace = by(({ namespace }: Pick<Summary, 'namespace'>) => namespace)

class WatchedSummaries {
  readonly #applications = new Map<string, IndexedApplication>()
  readonly #records = new Map<string, HydratedBranch>()
  readonly #keysOfBranch = new Map<string, Set<string>>()
  readonly #listeners = new Set<(key: string) => void>()
  /** The keys in the order of namespace and name; undefined when it must be sorted again. */
  #order: readonly string[] | undefined
  /** The Applications in this order; undefined when one of them changed. */
  #sorted: readonly IndexedApplication[] | undefined

  get sorted(): readonly IndexedApplication[] {
    this.#order ??= this.#inOrder(this.#applications.keys())
    this.#sorted ??= this.#found(this.#order)
    return this.#sorted
  }

  get(key: string): IndexedApplication | undefined {
    return this.#applications.get(key)
  }

  onBranch(branchKey: string): readonly IndexedApplication[] {
    return this.#found(this.#inOrder(this.#keysOfBranch.get(branchKey) ?? []))
  }

  record(branchKey: string): HydratedBranch | undefined {
    return this.#records.get(branchKey)
  }

  subscribe(listener: (key: string) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  put(resource: Resource): void {
    if (resource.kind === 'Application') this.#putApplication(resourceKey(resource), summarySource(resource))
    else this.#putRecord(resource, readHydratedBranch(resource))
  }

  remove(resource: Resource): void {
    if (resource.kind !== 'Application') {
      this.#putRecord(resource, undefined)
      return
    }
    const key = resourceKey(resource)
    const known = this.#applications.get(key)
    if (!known) return
    this.#applications.delete(key)
    this.#sorted = undefined
    this.#leaveBranch(key, known.source.branchKey)
    this.#order = undefined
    this.#tell(key)
  }

  #putApplication(key: string, source: SummarySource): void {
    const known = this.#applications.get(key)
    const before = known?.summary
    const { branchKey } = source
    if (known?.source.branchKey !== branchKey) {
      this.#leaveBranch(key, known?.source.branchKey)
      if (branchKey !== undefined) this.#keysOfBranch.getOrInsertComputed(branchKey, () => new Set()).add(key)
    }
    if (!known) this.#order = undefined
    this.#sorted = undefined
    const application = new JoinedApplication(key, source, this.#records, before)
    this.#applications.set(key, application)
    if (application.summary !== before) this.#tell(key)
  }

  #putRecord({ metadata }: Resource, record: HydratedBranch | undefined): void {
    if (metadata.namespace !== controlPlaneNamespace) return
    if (record) this.#records.set(metadata.name, record)
    else this.#records.delete(metadata.name)
    if (this.#listeners.size === 0) return
    for (const key of this.#keysOfBranch.get(metadata.name) ?? []) this.#tell(key)
  }

  #leaveBranch(key: string, branchKey: string | undefined): void {
    if (branchKey === undefined) return
    const keys = this.#keysOfBranch.get(branchKey)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOfBranch.delete(branchKey)
  }

  #tell(key: string): void {
    for (const listener of this.#listeners) listener(key)
  }

  #inOrder(keys: Iterable<string>): readonly string[] {
    return this.#found(keys)
      .toSorted(
        ({ source: { spec: one } }, { source: { spec: other } }) =>
          byNamespace(one, other) || byName(one, other),
      )
      .map(({ key }) => key)
  }

  #found(keys: Iterable<string>): IndexedApplication[] {
    return Array.from(keys).flatMap((key) => this.#applications.get(key) ?? [])
  }
}
