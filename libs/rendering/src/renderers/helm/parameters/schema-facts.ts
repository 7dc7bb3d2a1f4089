import { isJsonObject } from '@wadi/fields/json-object.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import type { ParameterMessage } from '../../../parameters/describe/parameter-message.ts'
import { scalarText } from '../../../source/scalar-text.ts'
import type { SchemaPart } from './schema-parts.ts'

/** Most values of an enum that are offered; a longer one is left to the renderer. */
const maxOptions = 500
const maxOptionLength = 200
const maxPatternLength = 500
const maxSuggestionLength = 200

/** The facts about a value that its schema knows, as parameters have them; `tooltip` is empty without a description. */
export type SchemaFacts = Pick<ParameterMessage, 'type' | 'options' | 'limits' | 'suggestion'> & {
  readonly tooltip: string
}

/** Returns the type that parts of a schema agree on, null aside; undefined for none or several. */
export function singleType(parts: readonly SchemaPart[]): string | undefined {
  const [type, ...others] = typesOf(parts) ?? optionTypes(parts)
  return others.length === 0 ? type : undefined
}

/** Reads the facts from the parts of a schema that hold for a value. */
export function schemaFacts(parts: readonly SchemaPart[]): SchemaFacts {
  const options = optionsOf(parts)
  const hasSeveral = (typesOf(parts)?.length ?? 0) > 1
  const type = formType(hasSeveral ? 'string' : singleType(parts), options)
  const limits = limitsOf(parts)
  const suggestion = parts.map((part) => scalarOf(part['default'])).find((text) => text !== undefined)
  return {
    tooltip: textOf(parts, 'description') || textOf(parts, 'title'),
    ...(type !== undefined && { type }),
    ...(options !== undefined && { options }),
    ...(limits !== undefined && { limits }),
    ...(suggestion !== undefined && { suggestion: shortened(suggestion, maxSuggestionLength) }),
  }
}

function typesOf(parts: readonly SchemaPart[]): readonly string[] | undefined {
  const declared = parts.flatMap((part) => [declaredTypes(part), declaredTypes(choicesOf(part))].flat())
  if (declared.length === 0) return undefined
  const [first = [], ...others] = declared
  const shared = first.filter((type) => others.every((types) => types.includes(type)))
  return shared.filter((type): type is string => typeof type === 'string' && type !== 'null')
}

/** Returns no list or one, of the types that a part names; a choice of types counts as one that names them all. */
function declaredTypes({ type }: SchemaPart): unknown[][] {
  return typeof type === 'string' || Array.isArray(type) ? [[type].flat()] : []
}

/** Returns the types of a part's alternatives; none if one of them names no type. */
function choicesOf({ anyOf, oneOf }: SchemaPart): SchemaPart {
  const choices: unknown[] = [anyOf, oneOf].find((each) => Array.isArray(each)) ?? []
  const types = choices.flatMap((choice) => (isJsonObject(choice) ? [choice['type']].flat() : [undefined]))
  return types.length > 0 && types.every((type) => typeof type === 'string') ? { type: types } : {}
}

function optionTypes(parts: readonly SchemaPart[]): readonly string[] {
  const types = (enumOf(parts) ?? []).filter((option) => option !== null).map((option) => typeof option)
  return [...new Set(types)]
}

function formType(type: string | undefined, options: readonly string[] | undefined): string | undefined {
  if (options !== undefined && type !== 'boolean') return 'enum'
  if (type === 'integer') return 'number'
  if (type === 'array' || type === 'object') return 'yaml'
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined
}

function enumOf(parts: readonly SchemaPart[]): readonly unknown[] | undefined {
  const found = parts.find((part) => Array.isArray(part['enum']) || Object.hasOwn(part, 'const'))
  if (found === undefined) return undefined
  return Array.isArray(found['enum']) ? found['enum'] : [found['const']]
}

/** Returns the only values that there are; undefined for an enum that no choice can offer. */
function optionsOf(parts: readonly SchemaPart[]): string[] | undefined {
  const all = enumOf(parts)
  if (all === undefined || all.length > maxOptions) return undefined
  const texts = all.filter((option) => option !== null).map(scalarOf)
  const options = texts.filter((text) => text !== undefined).filter(({ length }) => length <= maxOptionLength)
  return options.length === texts.length && options.length > 0 ? [...new Set(options)] : undefined
}

function scalarOf(value: unknown): string | undefined {
  return value === undefined || value === null || typeof value === 'object' ? undefined : scalarText(value)
}

function limitsOf(parts: readonly SchemaPart[]): SchemaFacts['limits'] {
  const limits: NonNullable<SchemaFacts['limits']> = {}
  const greatest = (key: string) => maxOf(numbersOf(parts, key))
  const smallest = (key: string) => minOf(numbersOf(parts, key))
  if (singleType(parts) === 'integer') limits.wholeNumber = true
  // Draft 4 has a boolean beside the number.
  const minimum = greatest('minimum')
  const maximum = smallest('maximum')
  const above = parts.some((part) => part['exclusiveMinimum'] === true)
    ? minimum
    : greatest('exclusiveMinimum')
  const below = parts.some((part) => part['exclusiveMaximum'] === true)
    ? maximum
    : smallest('exclusiveMaximum')
  if (minimum !== undefined && minimum !== above) limits.minimum = minimum
  if (maximum !== undefined && maximum !== below) limits.maximum = maximum
  if (above !== undefined) limits.exclusiveMinimum = above
  if (below !== undefined) limits.exclusiveMaximum = below
  const multipleOf = numbersOf(parts, 'multipleOf').find((number) => number > 0)
  if (multipleOf !== undefined) limits.multipleOf = multipleOf
  const minLength = greatest('minLength')
  const maxLength = smallest('maxLength')
  if (isLength(minLength)) limits.minLength = minLength
  if (isLength(maxLength)) limits.maxLength = maxLength
  const pattern = textOf(parts, 'pattern')
  if (pattern !== '' && pattern.length <= maxPatternLength) limits.pattern = pattern
  const format = textOf(parts, 'format')
  if (/^[a-z][a-z-]{0,40}$/.test(format)) limits.format = format
  return Object.keys(limits).length > 0 ? limits : undefined
}

function numbersOf(parts: readonly SchemaPart[], key: string): number[] {
  return parts.map((part) => part[key]).filter((value) => typeof value === 'number')
}

function maxOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

function minOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}

function isLength(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff
}

/** Returns the first text that parts of a schema have for a keyword. */
function textOf(parts: readonly SchemaPart[], key: string): string {
  return parts.map((part) => part[key]).find((text) => typeof text === 'string') ?? ''
}

/** Returns the properties that a value must have, by the parts of a schema for it. */
export function requiredProperties(parts: readonly SchemaPart[]): ReadonlySet<string> {
  const names = parts.flatMap(({ required }) => (Array.isArray(required) ? required : []))
  return new Set(names.filter((name) => typeof name === 'string'))
}

/** Returns the names of the properties that parts of a schema list for a value. */
export function listedProperties(parts: readonly SchemaPart[]): string[] {
  return parts.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : []))
}
