import { z } from 'zod'
import { unknownField } from './field-findings.ts'
import { type FieldPlaces, pathIn } from './field-places.ts'
import { jsonMergePatch } from './json-merge-patch.ts'
import { isJsonObject } from './json-object.ts'

/** A field that is unknown, with the keys and indexes that lead to it. */
interface UnknownField {
  readonly steps: readonly PropertyKey[]
  readonly message: string
}

/** A merge patch with its fields in the spelling of their schema. */
export interface GoFields {
  readonly patch: unknown
  readonly unknown: readonly UnknownField[]
}

interface Reading {
  readonly places: FieldPlaces
  readonly unknown: UnknownField[]
}

/**
 * Finds the fields of a schema in a merge patch as Go's `encoding/json` does in what the patch makes of the target: the patch is merged as it is
 * spelled, then case does not count, and of two spellings of a field the later one in the order of bytes wins. Unknown fields are left out, and in
 * lists fields that are null. Nothing else is checked.
 */
export function readGoFields(
  schema: z.core.$ZodType,
  patch: unknown,
  target: unknown,
  places: FieldPlaces,
): GoFields {
  const reading = { places, unknown: [] }
  return { patch: read(schema, patch, target, [], reading), unknown: reading.unknown }
}

/** Returns the field of a schema that a key stands for, with its name; undefined for none. */
export function goField(
  { shape }: z.ZodObject,
  key: string,
): { readonly name: string; readonly schema: z.core.$ZodType } | undefined {
  const isThere = Object.hasOwn(shape, key)
  const name = isThere ? key : Object.keys(shape).find((one) => folded(one) === folded(key))
  const schema = name === undefined ? undefined : shape[name]
  return name === undefined || schema === undefined ? undefined : { name, schema }
}

function read(
  schema: z.core.$ZodType,
  value: unknown,
  target: unknown,
  steps: readonly PropertyKey[],
  reading: Reading,
): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return read(schema.unwrap(), value, target, steps, reading)
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      isJsonObject(item)
        ? jsonMergePatch({}, read(schema.element, item, undefined, [...steps, index], reading))
        : item,
    )
  }
  return schema instanceof z.ZodObject && isJsonObject(value)
    ? readObject(schema, value, isJsonObject(target) ? target : {}, steps, reading)
    : value
}

function readObject(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  target: Readonly<Record<string, unknown>>,
  steps: readonly PropertyKey[],
  reading: Reading,
): unknown {
  const fields = new Map<string, unknown>()
  for (const key of Object.keys(value).toSorted()) {
    const found = goField(schema, key)
    if (found === undefined) {
      const path = pathIn(reading.places, [...steps, key])
      const message = unknownField(path, key, Object.keys(schema.shape))
      reading.unknown.push({ steps: [...steps, key], message })
      continue
    }
    const { name } = found
    const own = read(found.schema, value[key], target[name], [...steps, key], reading)
    if (name === key) fields.set(name, over(fields.get(name), own))
    else {
      // A null takes away the field that is spelled so, which is none of the target's.
      const said = own === null ? undefined : jsonMergePatch({}, own)
      const later = key < name && !Object.hasOwn(value, name) ? target[name] : undefined
      const left = without(said, later)
      if (left !== undefined) fields.set(name, over(fields.get(name), left))
    }
  }
  return Object.fromEntries(fields)
}

/** One patch of two, whose nulls stay. */
function over(earlier: unknown, later: unknown): unknown {
  if (!isJsonObject(earlier) || !isJsonObject(later)) return later
  const fields = new Map(Object.entries(earlier))
  for (const [key, value] of Object.entries(later)) fields.set(key, over(fields.get(key), value))
  return Object.fromEntries(fields)
}

/** Returns the parts of a value that another one, which is read after it, does not replace. */
function without(value: unknown, later: unknown): unknown {
  if (later === undefined) return value
  if (!isJsonObject(value) || !isJsonObject(later)) return undefined
  const fields = Object.entries(value).map(([key, field]) => [key, without(field, later[key])] as const)
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
}

/** Without case, the Kelvin sign and the long s included, as Go folds them. */
function folded(name: string): string {
  return name.toLowerCase().toUpperCase()
}
