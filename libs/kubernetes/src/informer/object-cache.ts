import type { Resource } from '@wadi/resources/resource.ts'
import type { ObjectKey } from '../client/api-resource.ts'
import type { ReflectorSink } from './reflector.ts'
import { compareResourceVersions } from './resource-version.ts'

/** One change of a cache. */
export type CacheChange<Value> =
  | { readonly type: 'added'; readonly key: ObjectKey; readonly value: Value }
  | { readonly type: 'updated'; readonly key: ObjectKey; readonly value: Value; readonly previous: Value }
  | { readonly type: 'deleted'; readonly key: ObjectKey; readonly previous: Value }

/** The settings of a cache. */
export interface CacheSettings<Value> {
  /** Returns the cached form of an object, or undefined if the object does not concern the owner of the cache. */
  readonly project: (object: Resource) => Value | undefined
  readonly onChange: (change: CacheChange<Value>) => void
  readonly onReplaced: () => void
  readonly onFollowing: () => void
  /** Something failed that is tried again. */
  readonly onFailed: (error: unknown) => void
  /** The projection of an object threw; the object is not kept. */
  readonly onError: (error: unknown) => void
}

interface Entry<Value> {
  readonly key: ObjectKey
  readonly version: string
  readonly value: Value
}

/**
 * The objects of one watch. A write of this process is visible at once: it stays until the watch has passed its version, so that
 * older events that are still under way cannot bring back what was there before.
 */
export class ObjectCache<Value> implements ReflectorSink {
  readonly #settings: CacheSettings<Value>
  readonly #entries = new Map<string, Entry<Value>>()
  /** Versions of own writes that the watch has not reported yet. */
  readonly #written = new Map<string, string>()
  /** The uids of own deletions that the watch has not reported yet; no object ever gets such a uid again. */
  readonly #deleted = new Map<string, string>()
  /** Keys that the running list has reported. */
  #listed: Set<string> | undefined
  #position: string | undefined

  constructor(settings: CacheSettings<Value>) {
    this.#settings = settings
  }

  get(key: ObjectKey): Value | undefined {
    return this.#entries.get(textOf(key))?.value
  }

  /** Everything that is kept, in no order. */
  *entries(): Generator<Entry<Value>> {
    yield* this.#entries.values()
  }

  /** Takes over the answer to a write of this process. */
  wrote(object: Resource): void {
    const text = textOf(object.metadata)
    const version = versionOf(object)
    if (this.#position !== undefined && compareResourceVersions(version, this.#position) <= 0) return
    const known = this.#entries.get(text)
    if (known !== undefined && compareResourceVersions(known.version, version) >= 0) return
    this.#written.set(text, version)
    this.#store(text, object)
  }

  /** Takes over a deletion by this process of the object with that uid. */
  deleted(key: ObjectKey, uid: string): void {
    const text = textOf(key)
    this.#deleted.set(text, uid)
    this.#written.delete(text)
    this.#drop(text)
  }

  listBegins(): void {
    this.#listed = new Set()
    this.#position = undefined
    // The list begins after the answers to these writes, so it knows them.
    this.#written.clear()
    this.#deleted.clear()
  }

  put(object: Resource): void {
    const text = textOf(object.metadata)
    const version = versionOf(object)
    this.#listed?.add(text)
    if (this.#deleted.has(text) && this.#deleted.get(text) === object.metadata.uid) return
    const written = this.#written.get(text)
    if (written !== undefined) {
      if (compareResourceVersions(version, written) < 0) return
      this.#written.delete(text)
    }
    if (this.#entries.get(text)?.version !== version) this.#store(text, object)
  }

  remove(object: Resource): void {
    const text = textOf(object.metadata)
    if (this.#deleted.get(text) === object.metadata.uid) this.#deleted.delete(text)
    const written = this.#written.get(text)
    if (written !== undefined && compareResourceVersions(versionOf(object), written) < 0) return
    this.#written.delete(text)
    this.#drop(text)
  }

  replaced(resourceVersion: string): void {
    for (const text of this.#entries.keys()) {
      const written = this.#written.get(text)
      const isNewer = written !== undefined && compareResourceVersions(written, resourceVersion) > 0
      if (this.#listed?.has(text) !== true && !isNewer) this.#drop(text)
    }
    this.#listed = undefined
    this.#position = resourceVersion
    this.#settings.onReplaced()
  }

  passed(resourceVersion: string): void {
    this.#position = resourceVersion
    for (const [text, version] of this.#written) {
      if (compareResourceVersions(version, resourceVersion) > 0) continue
      // The watch would have reported it: the object is not among those that it follows.
      this.#written.delete(text)
      this.#drop(text)
    }
  }

  following(): void {
    this.#settings.onFollowing()
  }

  failed(error: unknown): void {
    this.#settings.onFailed(error)
  }

  #store(text: string, object: Resource): void {
    const { namespace, name } = object.metadata
    const value = this.#project(object)
    if (value === undefined) {
      this.#drop(text)
      return
    }
    const before = this.#entries.get(text)
    const key = before?.key ?? { namespace, name }
    this.#entries.set(text, { key, version: versionOf(object), value })
    this.#settings.onChange(
      before === undefined
        ? { type: 'added', key, value }
        : { type: 'updated', key, value, previous: before.value },
    )
  }

  #project(object: Resource): Value | undefined {
    try {
      return this.#settings.project(object)
    } catch (error) {
      this.#settings.onError(error)
      return undefined
    }
  }

  #drop(text: string): void {
    const before = this.#entries.get(text)
    if (before === undefined) return
    this.#entries.delete(text)
    this.#settings.onChange({ type: 'deleted', key: before.key, previous: before.value })
  }
}

function textOf({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`
}

function versionOf(object: Resource): string {
  return object.metadata.resourceVersion ?? ''
}
