import {
  AlreadyExistsError,
  ConflictError,
  DomainError,
  InvalidInputError,
  NotFoundError,
} from '@wadi/errors/domain-error.ts'
import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import { boundedJson, checkedResource } from '@wadi/resources/object-checks.ts'
import { isBeingDeleted, type Resource, resourceKey } from '@wadi/resources/resource.ts'
import { isHeld } from '@wadi/resources/store/finalizers.ts'
import type {
  ResourceEvent,
  ResourcePatch,
  ResourceWrite,
  WrittenObjects,
} from '@wadi/resources/store/resource-store.ts'
import {
  storedAtCreation,
  storedAtDeletion,
  storedAtStatusUpdate,
  storedAtUpdate,
} from '@wadi/resources/store/stored-form.ts'
import type { WorldObjects } from '../world-objects.ts'

type StoredForm = (current: Resource, next: Resource, version: number) => Resource | undefined

/** The objects that all processes share, as an API server or a file keeps them. */
export class StoreServer implements WorldObjects {
  readonly #objects = new Map<string, Resource>()
  readonly #log: { version: number; event: ResourceEvent }[] = []
  readonly #listeners = new Map<(event: ResourceEvent) => void, string>()
  #version = 0

  /** The version of the last change. */
  get version(): string {
    return String(this.#version)
  }

  get(kind: string, namespace: string, name: string): Resource | undefined {
    return this.#objects.get(keyOf(kind, namespace, name))
  }

  /** The objects of a kind, by namespace and name. */
  list(kind: string): Resource[] {
    const found = [...this.#objects.values()].filter((object) => object.kind === kind)
    return found.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  }

  /** Calls back with each change of a kind from now on, until disposal; first with those after a version. */
  follow(kind: string, from: string | undefined, receive: (event: ResourceEvent) => void): Disposable {
    const isKnown = from !== undefined && Number(from) <= this.#version
    const missed = isKnown
      ? this.#log.filter(({ version, event }) => version > Number(from) && event.resource.kind === kind)
      : this.list(kind).map((resource) => ({ event: { type: 'added' as const, resource } }))
    for (const { event } of missed) receive(event)
    this.#listeners.set(receive, kind)
    return { [Symbol.dispose]: () => this.#listeners.delete(receive) }
  }

  onChange(kind: string, listener: (event: ResourceEvent) => void): void {
    this.#listeners.set(listener, kind)
  }

  create(resource: Resource): Resource {
    const { kind, metadata } = checkedResource(resource)
    if (this.get(kind, metadata.namespace ?? '', metadata.name)) {
      throw new AlreadyExistsError(`${nameOf(resource)} exists already`)
    }
    return this.#store('added', storedAtCreation(resource, this.#version + 1))
  }

  update(resource: Resource): Resource {
    return this.#replace(resource, storedAtUpdate)
  }

  updateStatus(resource: Resource): Resource {
    return this.#replace(resource, storedAtStatusUpdate)
  }

  patch(current: Pick<Resource, 'kind' | 'metadata'>, patch: ResourcePatch): Resource {
    const stored = this.#existing(current)
    refuseStale(stored, current.metadata.resourceVersion)
    const next = checkedResource(jsonMergePatch(stored, patch))
    const { resourceVersion = '', uid = '' } = stored.metadata
    return this.#replace({ ...next, metadata: { ...next.metadata, resourceVersion, uid } }, storedAtUpdate)
  }

  delete(resource: Pick<Resource, 'kind' | 'metadata'>): void {
    const stored = this.#existing(resource)
    refuseStale(stored, resource.metadata.resourceVersion)
    if (!isHeld(stored)) this.#drop(stored)
    else if (!isBeingDeleted(stored)) this.#store('modified', storedAtDeletion(stored, this.#version + 1))
  }

  writeAll(writes: readonly ResourceWrite[]): WrittenObjects {
    for (const [written, { action, resource }] of writes.entries()) {
      try {
        if (action === 'create') this.create(resource)
        else if (action === 'update') this.update(resource)
        else this.delete(resource)
      } catch (error) {
        if (error instanceof DomainError) return { written, error }
        throw error
      }
    }
    return { written: writes.length }
  }

  #replace(resource: Resource, storedForm: StoredForm): Resource {
    checkedResource(resource)
    const { resourceVersion, uid } = resource.metadata
    if (resourceVersion === undefined) {
      throw new InvalidInputError(`${nameOf(resource)}: metadata.resourceVersion is required`)
    }
    const current = this.#existing(resource)
    refuseStale(current, resourceVersion)
    if (uid !== undefined && uid !== current.metadata.uid) {
      throw new ConflictError(`${nameOf(resource)} was deleted and created again; read it again`)
    }
    const next = storedForm(current, resource, this.#version + 1)
    if (!next) return current
    if (!isBeingDeleted(next) || isHeld(next)) return this.#store('modified', next)
    this.#drop(next)
    return next
  }

  #existing(resource: Pick<Resource, 'kind' | 'metadata'>): Resource {
    const { kind, metadata } = resource
    const stored = this.get(kind, metadata.namespace ?? '', metadata.name)
    if (stored) return stored
    throw new NotFoundError(`${kind} ${metadata.namespace ?? ''}/${metadata.name} does not exist`)
  }

  #store(type: ResourceEvent['type'], resource: Resource): Resource {
    const stored: Resource = frozen(JSON.parse(boundedJson(resource)))
    this.#objects.set(resourceKey(stored), stored)
    this.#record({ type, resource: stored })
    return stored
  }

  #drop(resource: Resource): void {
    this.#objects.delete(resourceKey(resource))
    const metadata = { ...resource.metadata, resourceVersion: String(this.#version + 1) }
    this.#record({ type: 'deleted', resource: { ...resource, metadata } })
  }

  #record(event: ResourceEvent): void {
    this.#log.push({ version: ++this.#version, event })
    for (const [receive, kind] of this.#listeners) if (kind === event.resource.kind) receive(event)
  }
}

function keyOf(kind: string, namespace: string, name: string): string {
  return resourceKey({ apiVersion: '', kind, metadata: { namespace, name } })
}

function placeOf({ metadata }: Resource): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

function nameOf({ kind, metadata }: Resource): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`
}

function refuseStale(current: Resource, resourceVersion: string | undefined): void {
  if (resourceVersion === undefined || current.metadata.resourceVersion === resourceVersion) return
  throw new ConflictError(`${nameOf(current)} was changed by somebody else; read it again, then change it`)
}

/** Returns a value that nobody can change, so that all may have it. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
