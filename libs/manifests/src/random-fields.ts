import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type JsonValue, type Manifest, manifestIdentity } from './manifest.ts'
import { manifestFromJson } from './manifest-json.ts'
import { isSecret } from './mask-secrets.ts'

/** A field of an object that differs from render to render. */
interface RandomField {
  /** Keys and positions. */
  readonly path: readonly string[]
  /** The lines of a text that differ, from 0; empty when all of the value does. */
  readonly lines: readonly number[]
}

/** An object with fields that differ from render to render. */
export interface RandomObject {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly fields: readonly RandomField[]
}

/** Most fields of one source and the characters of their paths; those beyond are compared as they are. */
const maxFields = 10_000
const maxCharacters = 256 * 1024

const mask = '<random at each render>'

/**
 * Finds the fields in which two results of one source differ. Objects that are not in both, or several times in one, have none.
 * @param first one JSON text an object
 */
export function randomFields(first: readonly string[], second: readonly string[]): RandomObject[] {
  const others = uniqueObjects(second)
  const found: RandomObject[] = []
  const left = { fields: maxFields, characters: maxCharacters }
  for (const [key, manifest] of uniqueObjects(first)) {
    const other = others.get(key)
    if (!other) continue
    const fields = [...differences(plainSecret(manifest), plainSecret(other), [])].filter(
      ({ path, lines }) => {
        left.fields -= 1
        left.characters -= path.join('').length + 8 * lines.length
        return left.fields >= 0 && left.characters >= 0
      },
    )
    const { group, kind, namespace, name } = manifestIdentity(manifest)
    if (fields.length > 0) found.push({ group, kind, namespace, name, fields })
  }
  return found
}

/** Returns what gives an object with one mask for all that differs from render to render. */
export function maskRandom(
  random: readonly { readonly objects: readonly RandomObject[] }[],
): (manifest: Manifest) => Manifest {
  const objects = random.flatMap((one) => one.objects)
  if (objects.length === 0) return (manifest) => manifest
  const byObject = new Map(objects.map((object) => [randomKey(object), object.fields]))
  return (manifest) => {
    const fields = byObject.get(randomKey(manifestIdentity(manifest)))
    if (!fields) return manifest
    let masked = plainSecret(manifest)
    for (const { path, lines } of fields) {
      const next = maskedAt(masked, path, lines)
      if (isJsonObject(next)) masked = next
    }
    return encodedSecret(manifest, masked)
  }
}

/** Identifies an object among those of a render. */
export function randomKey({ group, kind, namespace, name }: Omit<RandomObject, 'fields'>): string {
  return JSON.stringify([group, kind, namespace, name])
}

function uniqueObjects(texts: readonly string[]): Map<string, Manifest> {
  const objects = Map.groupBy(texts.map(manifestFromJson), (manifest) =>
    randomKey(manifestIdentity(manifest)),
  )
  return new Map(
    [...objects].flatMap(([key, [first, ...more]]) => (first && more.length === 0 ? [[key, first]] : [])),
  )
}

function* differences(one: JsonValue, other: JsonValue, path: readonly string[]): Generator<RandomField> {
  if (isJsonObject(one) && isJsonObject(other)) {
    for (const [key, value] of Object.entries(one)) {
      const counterpart = Object.hasOwn(other, key) ? other[key] : undefined
      if (counterpart === undefined) yield { path: [...path, key], lines: [] }
      else yield* differences(value, counterpart, [...path, key])
    }
  } else if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    for (const [index, value] of one.entries())
      yield* differences(value, other[index] ?? null, [...path, String(index)])
  } else if (!isDeepStrictEqual(one, other)) yield { path, lines: differingLines(one, other) }
}

/** A text may have a value of a user beside a random one, such as a file of settings with a password. */
function differingLines(one: JsonValue, other: JsonValue): number[] {
  if (typeof one !== 'string' || typeof other !== 'string') return []
  const [lines, others] = [one.split('\n'), other.split('\n')]
  if (lines.length !== others.length) return []
  const differing = lines.flatMap((line, index) => (line === others[index] ? [] : [index]))
  return differing.length === lines.length ? [] : differing
}

function maskedAt(value: JsonValue, [step, ...rest]: readonly string[], lines: readonly number[]): JsonValue {
  if (step === undefined) return maskedText(value, lines)
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? maskedAt(item, rest, lines) : item))
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return value
  // A key may be one that assignment takes for the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === step ? maskedAt(inner, rest, lines) : inner]),
  )
}

function maskedText(value: JsonValue, lines: readonly number[]): JsonValue {
  if (lines.length === 0) return mask
  if (typeof value !== 'string') return value
  const masked = new Set(lines)
  return value
    .split('\n')
    .map((line, index) => (masked.has(index) ? mask : line))
    .join('\n')
}

/** A Secret with its data as text, as far as it is text; other objects are kept. */
function plainSecret(manifest: Manifest): Manifest {
  return withData(manifest, manifest, (value) => decoded(value) ?? value)
}

/** The reverse of `plainSecret`. */
function encodedSecret(original: Manifest, plain: Manifest): Manifest {
  return withData(original, plain, (value, text) =>
    decoded(value) === undefined || typeof text !== 'string' ? text : Buffer.from(text).toString('base64'),
  )
}

function withData(
  original: Manifest,
  manifest: Manifest,
  change: (value: JsonValue, own: JsonValue) => JsonValue,
): Manifest {
  const [values, own] = [original['data'], manifest['data']]
  if (!isSecret(original) || !isJsonObject(values) || !isJsonObject(own)) return manifest
  const changed = Object.entries(values).map(([key, value]): [string, JsonValue] => [
    key,
    change(value, own[key] ?? null),
  ])
  return { ...manifest, data: Object.fromEntries(changed) }
}

function decoded(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = Buffer.from(value, 'base64').toString()
  return Buffer.from(text).toString('base64') === value ? text : undefined
}
