import type { DatabaseSync } from 'node:sqlite'
import type { Resource } from '../resource.ts'
import { resourceKey } from '../resource.ts'
import type { ResourceEvent, WatchOptions } from './resource-store.ts'
import { inSnapshot, statementOf } from './sqlite-database.ts'

const batchSize = 500
const pollIntervalMs = 100

/** The signals of this process that look for changes, by the file of their store. */
const polling = new Map<string, Set<ChangeSignal>>()

/** Wakes the watches of one open store after every change of its file, by whichever process: at once if it is this one. */
export class ChangeSignal implements Disposable {
  readonly #database: DatabaseSync
  readonly #file: string
  #next = Promise.withResolvers<void>()
  #watches = 0
  #timer: NodeJS.Timeout | undefined
  #dataVersion: unknown

  constructor(database: DatabaseSync, file: string) {
    this.#database = database
    this.#file = file
  }

  /** Resolves at the next change; taken before reading, so that no change falls in between. */
  get changed(): Promise<void> {
    return this.#next.promise
  }

  /** Wakes the watches of all stores of the file in this process, after a change by this one. */
  written(): void {
    this.notify()
    for (const other of polling.get(this.#file) ?? []) if (other !== this) other.notify()
  }

  /** Wakes all watches of this store now. */
  notify(): void {
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }

  /** Looks for changes of other processes from now on, until the returned value is disposed. */
  poll(): Disposable {
    this.#watches++
    this.#timer ??= setInterval(() => this.#look(), pollIntervalMs)
    polling.set(this.#file, (polling.get(this.#file) ?? new Set()).add(this))
    return {
      [Symbol.dispose]: () => {
        if (--this.#watches === 0) this[Symbol.dispose]()
      },
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    const signals = polling.get(this.#file)
    signals?.delete(this)
    if (signals?.size === 0) polling.delete(this.#file)
  }

  #look(): void {
    const version = this.#readDataVersion()
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    this.notify()
  }

  /** The number changes with every commit of another connection, own ones not counted. */
  #readDataVersion(): unknown {
    return statementOf(this.#database, 'PRAGMA data_version').get()?.['data_version']
  }
}

/** Tells the changes of a kind from the log of a store's file, with the promises of `ResourceStore.watch`. */
export async function* watchChanges(
  database: DatabaseSync,
  changes: ChangeSignal,
  kind: string,
  options: WatchOptions,
): AsyncGenerator<ResourceEvent> {
  const { signal } = options
  // Wakes the other watches too, which find nothing: a race with a promise that stays pending would keep every wait.
  const abort = () => changes.notify()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) return
  const looking = changes.poll()
  try {
    const reader = new ChangeReader(database, kind, options.fromResourceVersion)
    while (!signal.aborted) {
      const { changed } = changes
      const events = reader.read()
      for (const event of events) {
        if (signal.aborted) return
        yield event
      }
      if (events.length === 0) await changed
    }
  } finally {
    looking[Symbol.dispose]()
    signal.removeEventListener('abort', abort)
  }
}

/** The identity of an object, by which a watch delivers its deletion when the log no longer has it. */
interface Identity {
  apiVersion: string
  kind: string
  metadata: Resource['metadata']
}

class ChangeReader {
  readonly #database: DatabaseSync
  readonly #kind: string
  readonly #known = new Map<string, Identity>()
  /** That of the object that was remembered last. */
  #apiVersion = ''
  /** The version up to which everything is delivered; undefined before the first listing. */
  #position: number | undefined

  constructor(database: DatabaseSync, kind: string, fromResourceVersion: string | undefined) {
    this.#database = database
    this.#kind = kind
    const from = Number(fromResourceVersion)
    if (fromResourceVersion === undefined || !Number.isSafeInteger(from)) return
    inSnapshot(database, () => {
      if (from > latestVersion(database) || this.#logBeginsAfter(from)) return
      this.#position = from
      for (const resource of this.#stored()) this.#remember(resource)
      for (const { resource } of this.#logged(from)) this.#remember(resource)
    })
  }

  /** Returns what happened since the last call, at most a batch unless it had to list. */
  read(): ResourceEvent[] {
    return inSnapshot(this.#database, () => {
      const position = this.#position
      if (position === undefined || this.#logBeginsAfter(position)) return this.#listDifferences()
      const logged = this.#logged(position, batchSize)
      const last = logged.at(-1)
      this.#position = last === undefined ? latestVersion(this.#database) : last.version
      for (const { type, resource } of logged) {
        if (type === 'deleted') this.#known.delete(resourceKey(resource))
        else this.#remember(resource)
      }
      return logged.map(({ type, resource }) => ({ type, resource }))
    })
  }

  #listDifferences(): ResourceEvent[] {
    const events: ResourceEvent[] = []
    const missing = new Map(this.#known)
    for (const resource of this.#stored()) {
      const key = resourceKey(resource)
      const known = this.#known.get(key)
      missing.delete(key)
      if (known?.metadata.resourceVersion === resource.metadata.resourceVersion) continue
      events.push({ type: known === undefined ? 'added' : 'modified', resource })
      this.#remember(resource)
    }
    for (const [key, identity] of missing) {
      this.#known.delete(key)
      events.push({ type: 'deleted', resource: { ...identity } })
    }
    this.#position = latestVersion(this.#database)
    return events
  }

  #remember({ apiVersion, metadata }: Resource): void {
    const { name, namespace, uid, resourceVersion } = metadata
    const kind = this.#kind
    // Each object that is read brings own strings; those of thousands are one.
    if (this.#apiVersion !== apiVersion) this.#apiVersion = apiVersion
    this.#known.set(resourceKey({ apiVersion, kind, metadata }), {
      apiVersion: this.#apiVersion,
      kind,
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
    })
  }

  #stored(): Resource[] {
    return statementOf(this.#database, 'SELECT object FROM resources WHERE kind = ? ORDER BY namespace, name')
      .all(this.#kind)
      .map((row) => JSON.parse(String(row['object'])))
  }

  #logged(after: number, limit = -1): { version: number; type: ResourceEvent['type']; resource: Resource }[] {
    return statementOf(
      this.#database,
      `SELECT resource_version, type, object FROM changes
         WHERE resource_version > ? AND kind = ?
         ORDER BY resource_version LIMIT ?`,
    )
      .all(after, this.#kind, limit)
      .map((row) => ({
        version: Number(row['resource_version']),
        type: eventType(row['type']),
        resource: JSON.parse(String(row['object'])),
      }))
  }

  #logBeginsAfter(position: number): boolean {
    const first = statementOf(this.#database, 'SELECT min(resource_version) AS first FROM changes').get()?.[
      'first'
    ]
    return position < (typeof first === 'number' ? first - 1 : latestVersion(this.#database))
  }
}

/** Returns the version of the last change of any kind, 0 when there was none. */
export function latestVersion(database: DatabaseSync): number {
  return Number(statementOf(database, 'SELECT resource_version FROM latest').get()?.['resource_version'])
}

function eventType(text: unknown): ResourceEvent['type'] {
  return text === 'added' || text === 'deleted' ? text : 'modified'
}
