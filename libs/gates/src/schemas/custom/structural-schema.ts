import { jsonView } from '@wadi/fields/field-view.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'

/** A schema of a custom resource, as its definition has it. What the definition writes in another type than it must is left out. */
export interface StructuralSchema {
  /** Any of these; all where there are none. */
  readonly types: readonly string[]
  readonly format: string
  readonly isNullable: boolean
  /** Undefined where there is none. */
  readonly defaultValue: JsonValue | undefined
  readonly properties: ReadonlyMap<string, StructuralSchema>
  readonly items: StructuralSchema | undefined
  /** `additionalProperties`: the schema of the other fields, or true if there may be any. */
  readonly others: StructuralSchema | boolean | undefined
  readonly required: readonly string[]
  readonly enumeration: readonly JsonValue[]
  readonly pattern: Pattern | undefined
  readonly limits: Readonly<Partial<Record<Limit, number>>>
  readonly allOf: readonly StructuralSchema[]
  readonly anyOf: readonly StructuralSchema[]
  readonly oneOf: readonly StructuralSchema[]
  readonly not: StructuralSchema | undefined
  readonly keepsUnknown: boolean
  readonly isResource: boolean
  /** True if bounds are not values themselves. */
  readonly isAbove: boolean
  readonly isBelow: boolean
  readonly listType: string
  readonly listKeys: readonly string[]
}

/** A regular expression of RE2, compiled when it is first used. */
interface Pattern {
  readonly text: string
  /** Undefined for one that is none, or is larger than Wadi accepts: nothing is checked by it. */
  readonly matcher: () => Matcher | undefined
}

const limits = [
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const

/** The name of a bound. */
type Limit = (typeof limits)[number]

/** Reads a schema of `openAPIV3Schema`; undefined for what is not an object. */
export function readStructuralSchema(schema: JsonValue | undefined): StructuralSchema | undefined {
  if (!isJsonObject(schema)) return undefined
  const { member } = jsonView
  const part = (field: string): StructuralSchema | undefined => readStructuralSchema(valueOf(schema, field))
  const others = valueOf(schema, 'additionalProperties')
  const isTrue = (field: string): boolean => member(schema, field) === true
  return {
    types: isTrue('x-kubernetes-int-or-string') ? ['integer', 'string'] : textOf(schema, 'type'),
    format: textOf(schema, 'format')[0] ?? '',
    isNullable: isTrue('nullable'),
    defaultValue: valueOf(schema, 'default') ?? undefined,
    properties: readProperties(valueOf(schema, 'properties')),
    items: part('items'),
    others: typeof others === 'boolean' ? others : readStructuralSchema(others),
    required: listOf(schema, 'required').filter((field) => typeof field === 'string'),
    enumeration: listOf(schema, 'enum'),
    pattern: readPattern(textOf(schema, 'pattern')[0]),
    limits: readLimits(schema),
    allOf: readSchemas(schema, 'allOf'),
    anyOf: readSchemas(schema, 'anyOf'),
    oneOf: readSchemas(schema, 'oneOf'),
    not: part('not'),
    keepsUnknown: isTrue('x-kubernetes-preserve-unknown-fields'),
    isResource: isTrue('x-kubernetes-embedded-resource'),
    isAbove: isTrue('exclusiveMinimum'),
    isBelow: isTrue('exclusiveMaximum'),
    listType: textOf(schema, 'x-kubernetes-list-type')[0] ?? '',
    listKeys: listOf(schema, 'x-kubernetes-list-map-keys').filter((key) => typeof key === 'string'),
  }
}

function valueOf(object: Manifest, field: string): JsonValue | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined
}

function textOf(object: Manifest, field: string): string[] {
  const value = valueOf(object, field)
  return typeof value === 'string' && value !== '' ? [value] : []
}

function listOf(object: Manifest, field: string): readonly JsonValue[] {
  const value = valueOf(object, field)
  return Array.isArray(value) ? value : []
}

function readSchemas(schema: Manifest, field: string): StructuralSchema[] {
  return listOf(schema, field).flatMap((one) => readStructuralSchema(one) ?? [])
}

function readProperties(properties: JsonValue | undefined): Map<string, StructuralSchema> {
  const read = new Map<string, StructuralSchema>()
  if (!isJsonObject(properties)) return read
  for (const [field, schema] of Object.entries(properties)) {
    const one = readStructuralSchema(schema)
    if (one !== undefined) read.set(field, one)
  }
  return read
}

function readLimits(schema: Manifest): StructuralSchema['limits'] {
  return Object.fromEntries(
    limits.flatMap((limit) => {
      const value = valueOf(schema, limit)
      return typeof value === 'number' || typeof value === 'bigint' ? [[limit, Number(value)] as const] : []
    }),
  )
}

function readPattern(text: string | undefined): Pattern | undefined {
  if (text === undefined) return undefined
  let compiled: { readonly matcher: Matcher | undefined } | undefined
  return { text, matcher: () => (compiled ??= { matcher: compilePattern(text) }).matcher }
}

function compilePattern(text: string): Matcher | undefined {
  try {
    return compileGoRegex(text)
  } catch {
    // The definition is at fault, not the object: the API server does not take such a definition.
    return undefined
  }
}
