import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { alreadyExists, badRequest, conflict, notFound, preconditionFailed } from './api-failure.ts'
import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import type { KindStore, ObjectStore } from './object-store.ts'
import { withManagedFields } from './managed-fields.ts'
import { assertUnchanged, assertValid, readObject, storedForm, withServerFields } from './write-rules.ts'

/** The writes of the API on one kind; each returns what the API answers. */
export class ObjectWrites {
  readonly #objects: ObjectStore
  readonly #store: KindStore
  readonly #manager: string

  /** @param manager who writes, for `managedFields`; without it nobody is noted */
  constructor(objects: ObjectStore, store: KindStore, manager = '') {
    this.#objects = objects
    this.#store = store
    this.#manager = manager
  }

  create(namespace: string | undefined, body: unknown): Resource {
    const { kind } = this.#store
    const object = readObject(kind, body)
    const { name, resourceVersion } = object.metadata
    if (object.metadata.namespace !== undefined && object.metadata.namespace !== namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      )
    }
    if (resourceVersion !== undefined && resourceVersion !== '') {
      throw badRequest('resourceVersion should not be set on objects to be created')
    }
    if (namespace !== undefined) this.#assertNamespace(namespace)
    if (this.#store.get(namespace, name) !== undefined) throw alreadyExists(kind, name)
    const { status, ...withoutStatus } = storedForm(kind, object)
    const stored: Resource = {
      ...withoutStatus,
      ...(status !== undefined && !kind.hasStatusSubresource && { status }),
      metadata: {
        ...object.metadata,
        ...(namespace !== undefined && { namespace }),
        uid: randomUUID(),
        creationTimestamp: now(),
        ...(kind.hasGeneration && { generation: 1 }),
      },
    }
    assertValid(kind, stored)
    return this.#change(undefined, stored)
  }

  update(namespace: string | undefined, name: string, body: unknown, isStatus: boolean): Resource {
    const object = readObject(this.#store.kind, body)
    if (object.metadata.name !== name) {
      throw badRequest(
        `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
      )
    }
    const stored = this.#stored(namespace, name)
    assertUnchanged(this.#store.kind, object, stored)
    return this.#replace(stored, object, isStatus)
  }

  patch(namespace: string | undefined, name: string, patch: unknown, isStatus: boolean): Resource {
    const stored = this.#stored(namespace, name)
    const patched = readObject(this.#store.kind, jsonMergePatch(stored, patch))
    if (patched.metadata.resourceVersion !== stored.metadata.resourceVersion) {
      throw conflict(this.#store.kind, name)
    }
    return this.#replace(stored, patched, isStatus)
  }

  delete(namespace: string | undefined, name: string, options: unknown): object {
    const stored = this.#stored(namespace, name)
    this.#assertPreconditions(stored, options)
    const { metadata } = stored
    if (metadata.deletionTimestamp !== undefined) return stored
    if ((metadata.finalizers ?? []).length > 0) {
      const { generation } = metadata
      const marked = {
        ...metadata,
        deletionTimestamp: now(),
        deletionGracePeriodSeconds: 0,
        ...(generation !== undefined && { generation: generation + 1 }),
      }
      return this.#objects.change(this.#store, stored, { ...stored, metadata: marked })
    }
    this.#objects.change(this.#store, stored, undefined)
    const { group, plural } = this.#store.kind.resource
    const details = { name, ...(group !== '' && { group }), kind: plural, uid: metadata.uid }
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  }

  #replace(stored: Resource, object: Resource, isStatus: boolean): Resource {
    const { kind } = this.#store
    const form = storedForm(kind, object)
    const next = withServerFields(kind, isStatus ? withStatus(stored, form.status) : form, stored)
    const complete = kind.hasStatusSubresource && !isStatus ? withStatus(next, stored.status) : next
    assertValid(kind, complete, stored)
    const { deletionTimestamp, finalizers = [] } = complete.metadata
    if (deletionTimestamp !== undefined && finalizers.length === 0) {
      this.#objects.change(this.#store, stored, undefined)
      return complete
    }
    if (isDeepStrictEqual(complete, stored)) return stored
    return this.#change(stored, complete)
  }

  #change(stored: Resource | undefined, next: Resource): Resource {
    const noted = this.#manager === '' ? next : withManagedFields(stored, next, this.#manager)
    return this.#objects.change(this.#store, stored, noted)
  }

  #stored(namespace: string | undefined, name: string): Resource {
    const stored = this.#store.get(namespace, name)
    if (stored === undefined) throw notFound(this.#store.kind, name)
    return stored
  }

  #assertNamespace(namespace: string): void {
    const namespaces = this.#objects.kind('', 'v1', 'namespaces')
    if (namespaces.get(undefined, namespace) === undefined) throw notFound(namespaces.kind, namespace)
  }

  #assertPreconditions({ metadata }: Resource, options: unknown): void {
    const preconditions = isJsonObject(options) ? options['preconditions'] : undefined
    if (!isJsonObject(preconditions)) return
    for (const [field, label, why] of [
      ['uid', 'UID', 'deleted and then recreated'],
      ['resourceVersion', 'ResourceVersion', 'modified'],
    ] as const) {
      const wanted = preconditions[field]
      if (typeof wanted !== 'string' || wanted === metadata[field]) continue
      throw preconditionFailed(
        this.#store.kind,
        metadata.name,
        `the ${label} in the precondition (${wanted}) does not match the ${label} in record (${metadata[field]}). The object might have been ${why}`,
      )
    }
  }
}

function withStatus(object: Resource, status: Resource['status']): Resource {
  const { status: _previous, ...others } = object
  return status === undefined ? others : { ...others, status }
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}
