import { isDeepStrictEqual } from 'node:util'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '../resource.ts'

const maxFields = 10

/**
 * Checks that what somebody writes is a change of what they saw: `metadata.resourceVersion` of `wanted`, when it is there, must be that of
 * the stored object. An object without it replaces whatever is stored.
 * @throws ConflictError that names the fields, never their values, in which the stored object differs now
 */
export function requireSeenVersion(wanted: Resource, stored: Resource | undefined): void {
  const { kind, metadata } = wanted
  const { name, namespace, resourceVersion } = metadata
  if (resourceVersion === undefined || resourceVersion === stored?.metadata.resourceVersion) return
  const object = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  if (!stored) {
    throw new ConflictError(
      `${object} was deleted by somebody else; leave out metadata.resourceVersion to create it again`,
    )
  }
  const fields = differingFields(userPart(stored), userPart(wanted), '')
  const difference =
    fields.length === 0
      ? 'in its status'
      : `perhaps in its status alone; it differs from what you write in ${someInLine(fields, maxFields)}`
  throw new ConflictError(
    `${object} has changed since you read it, ${difference}; read it again and repeat your change, or leave out metadata.resourceVersion to replace whatever is stored`,
  )
}

/** The fields that users decide; what servers keep in the metadata is left out. */
function userPart({ status: _status, metadata, ...rest }: Resource): object {
  const { labels, annotations, finalizers } = metadata
  return { metadata: { labels, annotations, finalizers }, ...rest }
}

function differingFields(one: unknown, other: unknown, path: string): string[] {
  if (isDeepStrictEqual(one, other)) return []
  if (!isJsonObject(one) || !isJsonObject(other)) return [path]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].toSorted().flatMap((key) => {
    return differingFields(one[key], other[key], path === '' ? key : `${path}.${key}`)
  })
}
