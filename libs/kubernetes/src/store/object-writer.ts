import {
  AlreadyExistsError,
  ConflictError,
  DomainError,
  FailedPreconditionError,
  InvalidInputError,
} from '@wadi/errors/domain-error.ts'
import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import { installationLabel } from '@wadi/resources/installation-label.ts'
import { boundedJson, checkedResource } from '@wadi/resources/object-checks.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import type { ResourcePatch } from '@wadi/resources/store/resource-store.ts'
import type { ApiResource, ObjectKey } from '../client/api-resource.ts'
import type { KubernetesClient } from '../client/kubernetes-client.ts'
import type { FollowedKinds } from './followed-kinds.ts'
import { keptForm } from './kept-object.ts'
import { storedKind } from './stored-kinds.ts'
import { isMissingKind, missingKind } from './sync-error.ts'
import { givenForm, givenPatch, isSameContent, statusPatch } from './written-form.ts'

/** Writes objects, and makes the answers visible at once where their kind is followed. */
export class ObjectWriter {
  readonly #client: KubernetesClient
  readonly #followed: FollowedKinds

  constructor(client: KubernetesClient, followed: FollowedKinds) {
    this.#client = client
    this.#followed = followed
  }

  /** Reads an object from the API. @throws NotFoundError */
  async read(kind: string, key: ObjectKey): Promise<Resource> {
    const { resource } = storedKind(kind)
    return this.#send(kind, key, () => this.#client.get(resource, key))
  }

  async create(wanted: Resource): Promise<Resource> {
    const object = this.#followed.labelled(checkedResource(wanted))
    const { kind, metadata } = object
    const { resource, isReadAnywhere } = storedKind(kind)
    if (metadata.namespace === undefined) {
      throw new InvalidInputError(`${kind} ${metadata.name}: metadata.namespace is required`)
    }
    if (!isReadAnywhere && !this.#followed.start(kind).mayFollow(metadata)) {
      throw new InvalidInputError(
        `${kind} ${metadata.name}: namespace ${JSON.stringify(metadata.namespace)} is not one whose objects are followed; choose another one, or let the services follow it too`,
      )
    }
    boundedJson(object)
    return this.#send(kind, metadata, () => this.#client.create(resource, givenForm(object)))
  }

  async update(wanted: Resource): Promise<Resource> {
    const object = this.#followed.labelled(checkedResource(wanted))
    const { kind, metadata } = object
    const versions = writtenVersions(object)
    const { resource, status } = storedKind(kind)
    boundedJson(object)
    const known = this.#known(object)
    if (known !== undefined && isSameContent(known, object)) return known
    return this.#send(kind, metadata, async () => {
      const given = givenForm(object)
      const next = { ...given, metadata: { ...given.metadata, ...versions } }
      if (status !== 'field') return this.#client.update(resource, next)
      // The status is part of what is replaced, and what is kept of it is not all.
      const stored = await this.#client.get(resource, metadata)
      assertUnchanged(stored, object)
      return this.#client.update(resource, { ...next, ...(stored.status && { status: stored.status }) })
    })
  }

  async updateStatus(object: Resource): Promise<Resource> {
    const { kind, metadata } = checkedResource(object)
    const versions = writtenVersions(object)
    const { resource, status } = storedKind(kind)
    if (status === 'none') throw new InvalidInputError(`${kind} ${metadata.name}: this kind has no status`)
    boundedJson(object)
    const stored = this.#known(object) ?? (await this.read(kind, metadata))
    const patch = statusPatch(stored.status, object.status)
    if (patch === undefined && stored.metadata.resourceVersion === versions.resourceVersion) return stored
    return this.#send(kind, metadata, async () => {
      assertUnchanged(stored, object)
      if (status === 'subresource') {
        const given = givenForm(object)
        const next = { ...given, metadata: { ...given.metadata, ...versions } }
        return this.#client.updateStatus(resource, {
          ...next,
          ...(object.status && { status: object.status }),
        })
      }
      return this.#client.patch(resource, metadata, { metadata: versions, status: patch })
    })
  }

  async patch(
    kind: string,
    key: ObjectKey,
    patch: ResourcePatch,
    resourceVersion: string | undefined,
  ): Promise<Resource> {
    const { resource } = storedKind(kind)
    const given = givenPatch(patch)
    const known = this.#followed.started(kind)?.get(key)
    if (known !== undefined) {
      const next = checkedResource(jsonMergePatch(known, given))
      boundedJson(next)
      if (resourceKey(next) !== resourceKey(known)) {
        throw new InvalidInputError(
          `${resourceKey(known)}: a patch cannot change the name, the namespace or the kind`,
        )
      }
    }
    const metadata = {
      ...given.metadata,
      ...(resourceVersion !== undefined && { resourceVersion }),
    }
    return this.#send(kind, key, () => this.#client.patch(resource, key, { ...given, metadata }))
  }

  async delete(kind: string, key: ObjectKey, resourceVersion: string | undefined): Promise<void> {
    const { resource } = storedKind(kind)
    const preconditions = resourceVersion === undefined ? {} : { resourceVersion }
    const deletion = await this.#attempt(kind, key, () => this.#client.delete(resource, key, preconditions))
    this.#followed.started(kind)?.deleted(key, deletion)
  }

  /** Returns the cached form of an object, if that is the version that the caller changes. */
  #known(object: Resource): Resource | undefined {
    const known = this.#followed.started(object.kind)?.get(object.metadata)
    return known !== undefined && isVersionOf(known, object) ? known : undefined
  }

  async #send(kind: string, key: ObjectKey, send: () => Promise<Resource>): Promise<Resource> {
    const answer = await this.#attempt(kind, key, send)
    const followed = this.#followed.started(kind)
    const { deletionTimestamp, finalizers = [], uid } = answer.metadata
    // The answer to the write that removes the last finalizer shows what is gone with it.
    if (deletionTimestamp !== undefined && finalizers.length === 0) {
      followed?.deleted(key, { isGone: true, uid })
    } else followed?.wrote(answer)
    return keptForm(answer)
  }

  /** An object as it is now; undefined where it cannot be read: the watch will tell, and what the caller did wrong matters more. */
  async #found(resource: ApiResource, key: ObjectKey): Promise<Resource | undefined> {
    try {
      return await this.#client.get(resource, key)
    } catch (failure) {
      if (failure instanceof DomainError) return undefined
      throw failure
    }
  }

  /** Sends a write. A caller that is rejected because of a newer object sees that object at the next read. */
  async #attempt<Answer>(kind: string, key: ObjectKey, send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send()
    } catch (error) {
      const { resource } = storedKind(kind)
      if (isMissingKind(error)) throw missingKind(resource, error)
      const followed = this.#followed.started(kind)
      if (followed && (error instanceof ConflictError || error instanceof AlreadyExistsError)) {
        const there = await this.#found(resource, key)
        if (there !== undefined) {
          followed.wrote(there)
          if (!storedKind(kind).isReadAnywhere && !followed.selects(there)) throw takenByAnother(there, error)
        }
      }
      throw error
    }
  }
}

/** That an object which the caller cannot see has the name. */
function takenByAnother({ kind, metadata }: Resource, cause: unknown): FailedPreconditionError {
  const found = metadata.labels?.[installationLabel]
  const owner =
    found === undefined ? `has no label ${installationLabel}` : `has the label ${installationLabel}: ${found}`
  return new FailedPreconditionError(
    `${kind} ${metadata.namespace}/${metadata.name} belongs to another installation: it ${owner}; choose another name, or change it there`,
    { cause },
  )
}

/** The version and identity that a write names. @throws InvalidInputError without a version */
function writtenVersions({ kind, metadata }: Resource): { resourceVersion: string; uid?: string } {
  const { namespace = '', name, resourceVersion, uid } = metadata
  if (resourceVersion === undefined) {
    throw new InvalidInputError(
      `${kind} ${namespace}/${name}: metadata.resourceVersion is required; read the object, then change it`,
    )
  }
  return { resourceVersion, ...(uid !== undefined && { uid }) }
}

function isVersionOf(stored: Resource, object: Resource): boolean {
  const { resourceVersion, uid } = object.metadata
  return (
    stored.metadata.resourceVersion === resourceVersion && (uid === undefined || uid === stored.metadata.uid)
  )
}

/** @throws ConflictError */
function assertUnchanged(stored: Resource, object: Resource): void {
  if (isVersionOf(stored, object)) return
  const { namespace, name } = object.metadata
  throw new ConflictError(
    `${object.kind} ${namespace}/${name} was changed by somebody else; read it again, then change it`,
  )
}
