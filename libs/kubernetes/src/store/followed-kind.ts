import { randomUUID } from 'node:crypto'
import type { DomainError } from '@wadi/errors/domain-error.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import type { ApiResource, ObjectKey } from '../client/api-resource.ts'
import type { Deletion, KubernetesClient } from '../client/kubernetes-client.ts'
import { Informer } from '../informer/informer.ts'
import { compareResourceVersions } from '../informer/resource-version.ts'
import { ChangeLog } from './change-log.ts'
import { keptObject, type KeptObject, readKept } from './kept-object.ts'
import { syncError, watchError } from './sync-error.ts'

/** Objects of a kind that are followed; a field that is missing does not narrow. */
export interface FollowedObjects {
  readonly namespaces?: readonly string[]
  /** Of a watch of all namespaces, those whose objects are followed. */
  readonly isWithin?: (namespace: string) => boolean
  readonly labelSelector?: string
  /** One object of each namespace. A role that names objects allows to follow just these. */
  readonly name?: string
}

/** The settings by which a kind is followed. */
export interface FollowedKindSettings {
  readonly client: KubernetesClient
  readonly resource: ApiResource
  /** An object that several of them match is there once. */
  readonly followed: readonly FollowedObjects[]
  /** The time that reads wait for the first list, from now on. */
  readonly syncTimeoutMs: number
  /** Called for what is tried again. */
  readonly onError: (error: unknown) => void
}

/** The reason why the objects of a kind are not known, or not current. */
export interface KindTrouble {
  /** True if they were listed once; they are then outdated, not missing. */
  readonly isListed: boolean
  readonly error: DomainError
  readonly kind: string
  /** The time since which it fails, as of `performance.now()`; undefined while the first list is under way. */
  readonly since: number | undefined
}

/** The number of changes that watches may lag behind. */
const logLength = 1_000

/** The followed objects of one kind: reads from memory, and a log for watches. */
export class FollowedKind implements AsyncDisposable {
  readonly #settings: FollowedKindSettings
  readonly #informers: readonly Informer<KeptObject>[]
  readonly #log = new ChangeLog(logLength)
  readonly #syncLimit: AbortSignal
  readonly #startedAt = performance.now()
  /** Tells versions of this log from those of others. */
  readonly #id = randomUUID()

  constructor(settings: FollowedKindSettings) {
    this.#settings = settings
    this.#syncLimit = AbortSignal.timeout(settings.syncTimeoutMs)
    this.#informers = settings.followed.map((followed) => informerOf(settings, followed))
    for (const informer of this.#informers) informer.onChange(({ key }) => this.#take(key))
  }

  /**
   * Resolves when everything that exists is known.
   * @throws the errors of `syncError` when it is not in time, CanceledError or the reason of the signal
   */
  async synced(signal?: AbortSignal): Promise<void> {
    const unsynced = this.#informers.filter(({ trouble }) => !trouble.isSynced)
    if (unsynced.length === 0) return
    const ended = signal === undefined ? this.#syncLimit : AbortSignal.any([signal, this.#syncLimit])
    try {
      await Promise.all(unsynced.map((informer) => informer.synced(ended)))
    } catch (error) {
      if (!this.#syncLimit.aborted || signal?.aborted === true) throw error
      const troubles = unsynced.filter(({ trouble }) => !trouble.isSynced).map(({ trouble }) => trouble.error)
      const { resource, syncTimeoutMs } = this.#settings
      throw syncError(
        resource,
        troubles.find((trouble) => trouble !== undefined),
        syncTimeoutMs,
      )
    }
  }

  /** The reason why the objects are not known, or not current; undefined if they are. */
  get trouble(): KindTrouble | undefined {
    const troubles = this.#informers.map(({ trouble }) => trouble)
    const { resource } = this.#settings
    const unlisted = troubles.filter(({ isSynced }) => !isSynced)
    const worst = unlisted.find(({ error }) => error !== undefined) ?? unlisted[0]
    if (worst !== undefined) {
      const waitedMs = Math.round((performance.now() - this.#startedAt) / 1000) * 1000
      return {
        isListed: false,
        error: syncError(resource, worst.error, waitedMs),
        kind: resource.kind,
        since: worst.since,
      }
    }
    const late = troubles.find(({ error }) => error !== undefined)
    return (
      late && {
        isListed: true,
        error: watchError(resource, late.error),
        kind: resource.kind,
        since: late.since,
      }
    )
  }

  get(key: ObjectKey): Resource | undefined {
    const object = this.#log.get(textOf(key))
    return object && readKept(object)
  }

  /** True if an object of this key would be known if it existed, whatever its labels. */
  isFollowed(key: ObjectKey): boolean {
    return this.#settings.followed.some(
      (followed) => followed.labelSelector === undefined && isPlacedIn(followed, key),
    )
  }

  /** True if an object of this key would be known if it existed and had the followed labels. */
  mayFollow(key: ObjectKey): boolean {
    return this.#settings.followed.some((followed) => isPlacedIn(followed, key))
  }

  /** True if an object is one of those that are followed. */
  selects({ metadata }: Resource): boolean {
    return this.#settings.followed.some(
      (followed) =>
        isPlacedIn(followed, metadata) && parseLabelSelector(followed.labelSelector ?? '')(metadata.labels),
    )
  }

  /** The objects of a namespace or of all, in no order. */
  list(namespace?: string): Resource[] {
    return this.#log.objects(namespace === undefined ? '' : `${namespace}/`).map(readKept)
  }

  /** The moment of what is known now; `events` takes it. */
  get version(): string {
    return `${this.#id}.${this.#log.position}`
  }

  /** Delivers what changes after a version; all objects first without it, and for one that is not known (any more). */
  events(version: string | undefined, signal: AbortSignal): AsyncIterable<ResourceEvent> {
    const prefix = `${this.#id}.`
    const isKnown = version?.startsWith(prefix) === true
    return this.#log.events(isKnown ? Number(version.slice(prefix.length)) : undefined, signal)
  }

  /** Makes the answer to a write of this process visible at once. */
  wrote(object: Resource): void {
    for (const informer of this.#informers) informer.wrote(object)
  }

  /** Makes a deletion by this process visible at once. */
  deleted(key: ObjectKey, deletion: Deletion): void {
    for (const informer of this.#informers) informer.deleted(key, deletion)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer[Symbol.asyncDispose]()))
  }

  /** Of an object that several informers follow, the newest form is the one. */
  #take(key: ObjectKey): void {
    const forms = this.#informers.flatMap((informer) => informer.get(key) ?? [])
    this.#log.record(textOf(key), forms.toSorted(byVersion).at(-1))
  }
}

function informerOf(
  { client, resource, onError }: FollowedKindSettings,
  { namespaces, isWithin, labelSelector, name }: FollowedObjects,
): Informer<KeptObject> {
  const hasLabels = parseLabelSelector(labelSelector ?? '')
  return new Informer<KeptObject>({
    client,
    resource,
    ...(namespaces !== undefined && { namespaces }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
    // Own writes come here too, also those of objects that the selectors leave out.
    project: (object) => {
      const { metadata } = object
      const isSelected =
        (name === undefined || metadata.name === name) &&
        (isWithin?.(metadata.namespace ?? '') ?? true) &&
        hasLabels(metadata.labels)
      return isSelected ? keptObject(object) : undefined
    },
    onError,
  })
}

function isPlacedIn(followed: FollowedObjects, { namespace = '', name }: ObjectKey): boolean {
  return (
    (followed.name ?? name) === name &&
    (followed.namespaces?.includes(namespace) ?? true) &&
    (followed.isWithin?.(namespace) ?? true)
  )
}

function byVersion(a: KeptObject, b: KeptObject): number {
  return compareResourceVersions(a.resourceVersion ?? '', b.resourceVersion ?? '')
}

function textOf({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`
}
