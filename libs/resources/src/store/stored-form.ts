import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../resource.ts'

/** Returns what a store keeps of a new object: the store's own fields, no status, no `stringData`. */
export function storedAtCreation(resource: Resource, resourceVersion: number): Resource {
  return {
    ...withStatus(withoutStringData(resource), undefined),
    metadata: {
      ...givenMetadata(resource),
      uid: randomUUID(),
      resourceVersion: String(resourceVersion),
      creationTimestamp: now(),
      generation: 1,
    },
  }
}

/**
 * Returns what a store keeps of an updated object, or undefined when nothing differs from what it has:
 * the status and the store's own fields stay, `generation` counts changes of `spec`.
 */
export function storedAtUpdate(
  current: Resource,
  next: Resource,
  resourceVersion: number,
): Resource | undefined {
  const updated = withStatus(withoutStringData(next), current.status)
  updated.metadata = ownedByStore(current, next)
  if (isDeepStrictEqual(jsonForm(updated), current)) return undefined
  if (!isDeepStrictEqual(jsonForm(updated.spec), current.spec)) {
    updated.metadata.generation = (current.metadata.generation ?? 0) + 1
  }
  updated.metadata.resourceVersion = String(resourceVersion)
  return updated
}

/** Returns the current object with the status of the next one, or undefined when that is the same. */
export function storedAtStatusUpdate(
  current: Resource,
  next: Resource,
  resourceVersion: number,
): Resource | undefined {
  if (isDeepStrictEqual(jsonForm(next.status), current.status)) return undefined
  const updated = withStatus(current, next.status)
  updated.metadata = { ...current.metadata, resourceVersion: String(resourceVersion) }
  return updated
}

/** Returns what a store keeps of an object that is deleted while finalizers hold it. */
export function storedAtDeletion(current: Resource, resourceVersion: number): Resource {
  const metadata = { ...current.metadata, deletionTimestamp: now(), resourceVersion: String(resourceVersion) }
  return { ...current, metadata }
}

function withStatus(resource: Resource, status: Resource['status']): Resource {
  const copy = { ...resource }
  if (status === undefined) delete copy.status
  else copy.status = status
  return copy
}

function ownedByStore(current: Resource, next: Resource): Resource['metadata'] {
  const { uid, resourceVersion, creationTimestamp, deletionTimestamp, generation } = current.metadata
  return {
    ...givenMetadata(next),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(generation === undefined ? {} : { generation }),
  }
}

/** The metadata that callers decide, and store's fields that are replaced in any case. */
function givenMetadata({ metadata }: Resource): Resource['metadata'] {
  const { deletionTimestamp: _deletionTimestamp, ...given } = metadata
  return given
}

/** RFC 3339, whole seconds, UTC. */
function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

/** As the API server of Kubernetes does it: a text of `stringData` wins over the value of the same key in `data`. */
function withoutStringData(resource: Resource): Resource {
  if (resource.kind !== 'Secret' || resource.stringData === undefined) return resource
  const { stringData, ...rest } = resource
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  return { ...rest, data: { ...rest.data, ...Object.fromEntries(encoded) } }
}

/** Drops fields that are undefined, as storing does. */
function jsonForm(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
