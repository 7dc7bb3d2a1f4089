import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type JsonValue, type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'

/** The fields of objects that differ from render to render, as paths of keys and positions, by object. */
export type RandomFields = ReadonlyMap<string, readonly (readonly string[])[]>

/** Most fields of one source; those beyond are compared as they are. */
const maxFields = 10_000

const mask = '<random at each render>'

/**
 * Finds the fields in which two results of one source differ. Objects that are not in both have none.
 * @param first one JSON text an object
 */
export function randomFields(first: readonly string[], second: readonly string[]): RandomFields {
  const others = new Map(second.map(manifestFromJson).map((manifest) => [keyOf(manifest), manifest]))
  const fields = new Map<string, string[][]>()
  let left = maxFields
  for (const manifest of first.map(manifestFromJson)) {
    const other = others.get(keyOf(manifest))
    if (!other) continue
    const paths = [...differences(manifest, other, [])].slice(0, left)
    left -= paths.length
    if (paths.length > 0) fields.set(keyOf(manifest), paths)
  }
  return fields
}

/** Returns an object with one mask for all values that differ from render to render. */
export function maskedRandom(manifest: Manifest, fields: RandomFields): Manifest {
  let masked = manifest
  for (const path of fields.get(keyOf(manifest)) ?? []) {
    const next = maskedAt(masked, path)
    if (isJsonObject(next)) masked = next
  }
  return masked
}

function keyOf(manifest: Manifest): string {
  const { group, kind, namespace, name } = manifestIdentity(manifest)
  return JSON.stringify([group, kind, namespace, name])
}

function* differences(one: JsonValue, other: JsonValue, path: readonly string[]): Generator<string[]> {
  if (isJsonObject(one) && isJsonObject(other)) {
    for (const [key, value] of Object.entries(one)) {
      const { [key]: counterpart } = other
      if (counterpart === undefined) yield [...path, key]
      else yield* differences(value, counterpart, [...path, key])
    }
  } else if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    for (const [index, value] of one.entries())
      yield* differences(value, other[index] ?? null, [...path, String(index)])
  } else if (JSON.stringify(one) !== JSON.stringify(other)) yield [...path]
}

function maskedAt(value: JsonValue, [step, ...rest]: readonly string[]): JsonValue {
  if (step === undefined) return mask
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? maskedAt(item, rest) : item))
  if (!isJsonObject(value)) return value
  const { [step]: inner } = value
  return inner === undefined ? value : { ...value, [step]: maskedAt(inner, rest) }
}
