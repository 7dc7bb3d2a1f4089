import { resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  AlreadyExistsError,
  ConflictError,
  DomainError,
  InvalidInputError,
  NotFoundError,
} from '@wadi/errors/domain-error.ts'
import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import { parseLabelSelector } from '../label-selector.ts'
import { boundedJson, checkedResource } from '../object-checks.ts'
import { isBeingDeleted, type Resource, resourceKey } from '../resource.ts'
import { isHeld } from './finalizers.ts'
import type {
  ListOptions,
  ResourceEvent,
  ResourceList,
  ResourcePatch,
  ResourceStore,
  ResourceWrite,
  WatchOptions,
  WrittenObjects,
} from './resource-store.ts'
import { type SharedDatabase, shareDatabase } from './shared-database.ts'
import { fileBytes, inSnapshot, statementOf } from './sqlite-database.ts'
import { GroupCommit } from './sqlite-group-commit.ts'
import { ChangeSignal, latestVersion, watchChanges } from './sqlite-watch.ts'
import { storedAtCreation, storedAtDeletion, storedAtStatusUpdate, storedAtUpdate } from './stored-form.ts'

/** Settings of a store in a file. */
export interface SqliteStoreOptions {
  /** The file, made when there is none; several processes may share it on one machine. */
  file: string
  /** The number of changes that the log keeps for watches that lag behind; defaults to 10,000. */
  logLength?: number
}

/** The most bytes of objects that the log keeps, whatever its length. */
const maxLogBytes = 64 * 1024 * 1024

/** The number of changes between two cuts of the log. */
const cutInterval = 256

/**
 * Opens a store in an SQLite file; all stores of a file in this process share its one connection.
 * @throws FailedPreconditionError when a newer version of the program wrote the file.
 */
export function openSqliteStore(options: SqliteStoreOptions): ResourceStore {
  return new SqliteStore(shareDatabase(options.file), resolve(options.file), options.logLength ?? 10_000)
}

class SqliteStore implements ResourceStore {
  readonly #shared: SharedDatabase
  readonly #database: DatabaseSync
  readonly #logLength: number
  readonly #changes: ChangeSignal
  readonly #commits: GroupCommit
  readonly #closed = new AbortController()
  readonly #select: StatementSync
  readonly #put: StatementSync
  readonly #remove: StatementSync
  readonly #advance: StatementSync
  readonly #log: StatementSync

  constructor(shared: SharedDatabase, file: string, logLength: number) {
    const { database } = shared
    this.#shared = shared
    this.#database = database
    this.#logLength = logLength
    this.#changes = new ChangeSignal(database, file)
    this.#commits = new GroupCommit(database, () => this.#changes.written())
    this.#select = database.prepare(
      'SELECT object FROM resources WHERE kind = ? AND namespace = ? AND name = ?',
    )
    this.#put = database.prepare('INSERT OR REPLACE INTO resources VALUES (?, ?, ?, ?, ?)')
    this.#remove = database.prepare('DELETE FROM resources WHERE kind = ? AND namespace = ? AND name = ?')
    this.#advance = database.prepare('UPDATE latest SET resource_version = ?')
    this.#log = database.prepare('INSERT INTO changes VALUES (?, ?, ?, ?)')
  }

  /** A file is of one installation. */
  storable(resource: Resource): Resource {
    return resource
  }

  async get(kind: string, namespace: string, name: string): Promise<Resource | undefined> {
    return this.#read(kind, namespace, name)
  }

  async list(kind: string, options: ListOptions = {}): Promise<ResourceList> {
    const matches = parseLabelSelector(options.labelSelector ?? '')
    const { namespace = null } = options
    return inSnapshot(this.#database, () => ({
      items: statementOf(
        this.#database,
        `SELECT object FROM resources WHERE kind = ?1 AND (?2 IS NULL OR namespace = ?2) ORDER BY namespace, name`,
      )
        .all(kind, namespace)
        .map((row): Resource => JSON.parse(String(row['object'])))
        .filter((resource) => matches(resource.metadata.labels)),
      resourceVersion: String(latestVersion(this.#database)),
    }))
  }

  async create(resource: Resource): Promise<Resource> {
    return this.#commits.store(() => this.#create(resource))
  }

  async update(resource: Resource): Promise<Resource> {
    return this.#commits.store(() => this.#replace(resource, storedAtUpdate))
  }

  async updateStatus(resource: Resource): Promise<Resource> {
    return this.#commits.store(() => this.#replace(resource, storedAtStatusUpdate))
  }

  async patch(
    kind: string,
    namespace: string,
    name: string,
    patch: ResourcePatch,
    options: { resourceVersion?: string } = {},
  ): Promise<Resource> {
    return this.#commits.store(() => {
      const current = this.#read(kind, namespace, name)
      if (current === undefined) throw new NotFoundError(`${kind} ${namespace}/${name} does not exist`)
      const { resourceVersion = '', uid = '' } = current.metadata
      if (options.resourceVersion !== undefined) refuseStale(current, options.resourceVersion)
      const next = checkedResource(jsonMergePatch(current, patch))
      if (resourceKey(next) !== resourceKey(current)) {
        throw new InvalidInputError(`${nameOf(current)}: a patch cannot change what an object is named`)
      }
      return this.#replace({ ...next, metadata: { ...next.metadata, resourceVersion, uid } }, storedAtUpdate)
    })
  }

  async delete(
    kind: string,
    namespace: string,
    name: string,
    options: { resourceVersion?: string } = {},
  ): Promise<void> {
    await this.#commits.store(() => this.#delete(kind, namespace, name, options.resourceVersion))
  }

  async writeAll(writes: readonly ResourceWrite[]): Promise<WrittenObjects> {
    return this.#commits.store(() => {
      for (const [written, write] of writes.entries()) {
        try {
          this.#writeOne(write)
        } catch (error) {
          // Thrown before anything of this write is stored; any other error takes back the whole transaction.
          if (error instanceof DomainError) return { written, error }
          throw error
        }
      }
      return { written: writes.length }
    })
  }

  watch(kind: string, options: WatchOptions): AsyncIterable<ResourceEvent> {
    const signal = AbortSignal.any([options.signal, this.#closed.signal])
    return watchChanges(this.#database, this.#changes, kind, { ...options, signal })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed.signal.aborted) return
    this.#commits.flush()
    this.#closed.abort()
    this.#changes[Symbol.dispose]()
    this.#shared[Symbol.dispose]()
  }

  #writeOne({ action, resource }: ResourceWrite): void {
    const { kind, metadata } = resource
    if (action === 'create') this.#create(resource)
    else if (action === 'update') this.#replace(resource, storedAtUpdate)
    else this.#delete(kind, metadata.namespace ?? '', metadata.name, metadata.resourceVersion)
  }

  #create(given: Resource): Resource {
    const resource = checkedResource(given)
    const { kind, metadata } = resource
    if (this.#read(kind, metadata.namespace ?? '', metadata.name) !== undefined) {
      throw new AlreadyExistsError(`${nameOf(resource)} exists already`)
    }
    const version = this.#nextVersion()
    return this.#store('added', storedAtCreation(resource, version), version)
  }

  #replace(
    given: Resource,
    storedForm: (current: Resource, next: Resource, version: number) => Resource | undefined,
  ): Resource {
    const resource = checkedResource(given)
    const { kind, metadata } = resource
    const { namespace = '', name, resourceVersion, uid } = metadata
    if (resourceVersion === undefined) {
      throw new InvalidInputError(
        `${nameOf(resource)}: metadata.resourceVersion is required; read the object, then change it`,
      )
    }
    const current = this.#read(kind, namespace, name)
    if (current === undefined) throw new NotFoundError(`${nameOf(resource)} does not exist`)
    refuseStale(current, resourceVersion)
    if (uid !== undefined && uid !== current.metadata.uid) {
      throw new ConflictError(`${nameOf(resource)} was deleted and created again; read it again`)
    }
    const version = this.#nextVersion()
    const next = storedForm(current, resource, version)
    if (next === undefined) return current
    if (!isBeingDeleted(next) || isHeld(next)) return this.#store('modified', next, version)
    this.#drop(next, version)
    return next
  }

  #delete(kind: string, namespace: string, name: string, resourceVersion: string | undefined): void {
    const current = this.#read(kind, namespace, name)
    if (current === undefined) throw new NotFoundError(`${kind} ${namespace}/${name} does not exist`)
    if (resourceVersion !== undefined) refuseStale(current, resourceVersion)
    const version = this.#nextVersion()
    if (!isHeld(current)) this.#drop(current, version)
    else if (!isBeingDeleted(current)) this.#store('modified', storedAtDeletion(current, version), version)
  }

  #drop(resource: Resource, version: number): void {
    const { kind, metadata } = resource
    this.#remove.run(kind, metadata.namespace ?? '', metadata.name)
    const last = { ...resource, metadata: { ...metadata, resourceVersion: String(version) } }
    this.#record('deleted', kind, JSON.stringify(last), version)
  }

  /** The version of the next change, in a transaction; one that records nothing uses none. */
  #nextVersion(): number {
    return latestVersion(this.#database) + 1
  }

  #store(type: 'added' | 'modified', resource: Resource, version: number): Resource {
    const { kind, metadata } = resource
    const json = boundedJson(resource)
    this.#put.run(kind, metadata.namespace ?? '', metadata.name, version, json)
    this.#record(type, kind, json, version)
    return JSON.parse(json)
  }

  #record(type: ResourceEvent['type'], kind: string, json: string, version: number): void {
    this.#advance.run(version)
    this.#log.run(version, type, kind, json)
    if (version % Math.min(cutInterval, this.#logLength) === 0) this.#cutLog(version)
  }

  #cutLog(version: number): void {
    statementOf(this.#database, 'DELETE FROM changes WHERE resource_version <= ?').run(
      version - this.#logLength,
    )
    // To add up the log takes longer than all else; one in a file of fewer bytes is short enough.
    if (fileBytes(this.#database) <= maxLogBytes) return
    statementOf(
      this.#database,
      `DELETE FROM changes WHERE resource_version <= (
         SELECT max(resource_version) FROM (
           SELECT resource_version, sum(octet_length(object)) OVER (ORDER BY resource_version DESC) AS bytes
           FROM changes
         ) WHERE bytes > ?
       )`,
    ).run(maxLogBytes)
  }

  #read(kind: string, namespace: string, name: string): Resource | undefined {
    const row = this.#select.get(kind, namespace, name)
    return row === undefined ? undefined : JSON.parse(String(row['object']))
  }
}

function refuseStale(current: Resource, resourceVersion: string): void {
  if (current.metadata.resourceVersion === resourceVersion) return
  throw new ConflictError(`${nameOf(current)} was changed by somebody else; read it again, then change it`)
}

function nameOf({ kind, metadata }: Resource): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`
}
