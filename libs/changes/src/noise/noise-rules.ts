import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type JsonValue, type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'

/** The fields of some objects that are not compared. */
export interface NoiseRule {
  /** Which objects; undefined for any. */
  readonly group: Matcher | undefined
  readonly kind: Matcher | undefined
  readonly namespace: Matcher | undefined
  readonly name: Matcher | undefined
  /** Keys of labels, of the object and of every template in it. */
  readonly labels: readonly Matcher[]
  /** Keys of annotations, in the same places. */
  readonly annotations: readonly Matcher[]
  /** Fields by the segments of their JSON pointers; `*` is any key or item. */
  readonly pointers: readonly (readonly string[])[]
}

/** Returns an object without what the rules ignore; the object itself when they ignore nothing of it. */
export function withoutNoise(manifest: Manifest, rules: readonly NoiseRule[]): Manifest {
  const applying = rules.filter((rule) => applies(rule, manifest))
  if (applying.length === 0) return manifest
  const labels = applying.flatMap((rule) => rule.labels)
  const annotations = applying.flatMap((rule) => rule.annotations)
  let stripped = manifest
  if (labels.length > 0 || annotations.length > 0) stripped = withoutKeys(manifest, { labels, annotations })
  for (const pointer of applying.flatMap((rule) => rule.pointers)) {
    const left = withoutField(stripped, pointer)
    if (isJsonObject(left)) stripped = left
  }
  return stripped
}

function applies(rule: NoiseRule, manifest: Manifest): boolean {
  const identity = manifestIdentity(manifest)
  return (['group', 'kind', 'namespace', 'name'] as const).every(
    (part) => rule[part]?.(identity[part]) ?? true,
  )
}

interface IgnoredKeys {
  readonly labels: readonly Matcher[]
  readonly annotations: readonly Matcher[]
}

function withoutKeys(object: Manifest, keys: IgnoredKeys): Manifest {
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => {
      const inside = withoutKeysInside(value, keys)
      return [field, field === 'metadata' && isJsonObject(inside) ? cleanMetadata(inside, keys) : inside]
    }),
  )
}

function withoutKeysInside(value: JsonValue, keys: IgnoredKeys): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutKeysInside(item, keys))
  return isJsonObject(value) ? withoutKeys(value, keys) : value
}

function cleanMetadata(metadata: Manifest, keys: IgnoredKeys): Manifest {
  const cleaned: Manifest = { ...metadata }
  for (const field of ['labels', 'annotations'] as const) {
    const { [field]: values } = metadata
    if (!isJsonObject(values)) continue
    const kept = Object.entries(values).filter(([key]) => !keys[field].some((matches) => matches(key)))
    if (kept.length === Object.keys(values).length) continue
    if (kept.length > 0) cleaned[field] = Object.fromEntries(kept)
    else delete cleaned[field]
  }
  return cleaned
}

/** A value without one of its fields; undefined when the pointer is the value itself. */
function withoutField(value: JsonValue, pointer: readonly string[]): JsonValue | undefined {
  const [segment, ...rest] = pointer
  if (segment === undefined) return undefined
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (segment !== '*' && segment !== String(index)) return [item]
      return withoutField(item, rest) ?? []
    })
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    if (segment !== '*' && segment !== key) return [[key, inner]]
    const left = withoutField(inner, rest)
    return left === undefined ? [] : [[key, left]]
  })
  return Object.fromEntries(entries)
}
