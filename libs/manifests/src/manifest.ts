import { isJsonObject } from '@wadi/fields/json-object.ts'

/** A value of a manifest. Integers that a double cannot hold exactly are bigint; every other number is number. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue }

/** One Kubernetes object as plain data. */
export type Manifest = { [key: string]: JsonValue }

/** The identity of a Kubernetes object. A part that the manifest lacks is the empty string. */
export interface ManifestIdentity {
  /** The part of `apiVersion` before the slash; empty for the core group. */
  group: string
  version: string
  kind: string
  namespace: string
  name: string
}

/** Returns the identity of an object; a field of another type than string is treated as missing. */
export function manifestIdentity(manifest: Manifest): ManifestIdentity {
  const apiVersion = stringField(manifest, 'apiVersion')
  const slash = apiVersion.indexOf('/')
  const metadata = Object.hasOwn(manifest, 'metadata') ? manifest['metadata'] : undefined
  return {
    group: slash === -1 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind: stringField(manifest, 'kind'),
    namespace: isJsonObject(metadata) ? stringField(metadata, 'namespace') : '',
    name: isJsonObject(metadata) ? stringField(metadata, 'name') : '',
  }
}

function stringField(mapping: { [key: string]: JsonValue }, field: string): string {
  const value = Object.hasOwn(mapping, field) ? mapping[field] : undefined
  return typeof value === 'string' ? value : ''
}
