import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourcePatch } from '@wadi/resources/store/resource-store.ts'

/** The fields that the API server sets; those of callers are not sent. */
const serverFields: readonly string[] = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]

/** A patch of an object, with that of its metadata. */
interface GivenPatch {
  metadata?: Record<string, unknown>
  [field: string]: unknown
}

/** Returns the part of an object that callers decide: all but `status` and what the API server gives, as JSON has it. */
export function givenForm({ status: _status, ...object }: Resource): Resource {
  const { namespace, name, ...metadata } = object.metadata
  const given = withoutServerFields(metadata)
  return jsonForm({
    ...object,
    metadata: { ...given, name, ...(namespace !== undefined && { namespace }) },
  })
}

/** Returns a patch without `status` and what the API server gives. */
export function givenPatch({ status: _status, metadata, ...patch }: ResourcePatch): GivenPatch {
  return { ...patch, ...(isJsonObject(metadata) && { metadata: withoutServerFields(metadata) }) }
}

/** True if two objects have the same content but for status and the API server's fields. */
export function isSameContent(a: Resource, b: Resource): boolean {
  return isDeepStrictEqual(givenForm(a), givenForm(b))
}

/** Returns the JSON merge patch that makes one status from another; undefined when they are equal. */
export function statusPatch(current: Resource['status'], next: Resource['status']): unknown {
  return difference(jsonForm(current ?? {}), jsonForm(next ?? {}))
}

/** Undefined when nothing differs. A field that is gone becomes null. */
function difference(current: unknown, next: unknown): unknown {
  if (isDeepStrictEqual(current, next)) return undefined
  if (!isJsonObject(current) || !isJsonObject(next)) return next
  const gone = Object.keys(current).filter((field) => next[field] === undefined)
  const changed = Object.entries(next).flatMap(([field, value]) => {
    const change = difference(current[field], value)
    return change === undefined ? [] : [[field, change]]
  })
  return Object.fromEntries([...gone.map((field) => [field, null]), ...changed])
}

function withoutServerFields(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([field]) => !serverFields.includes(field)))
}

/** Drops fields that are undefined, as sending does. */
function jsonForm<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}
