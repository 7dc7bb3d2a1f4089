import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { Float, type Value, isValueMap } from '@wadi/params/values/value.ts'
import { type ValuePath } from '@wadi/params/values/set-name.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { parseSetValue } from './helm-set.ts'
import { type KnownValues, schemaType } from './known-values.ts'
import { setValue } from './located-set.ts'
import { valueAt } from './value-steps.ts'

/** A value that a text stands for in a chart. */
export interface WantedValue {
  readonly value: Value
  /** The form for `--set`; undefined if there is none, as for fractions and empty lists. */
  readonly parameter: { readonly value: string; readonly isText: boolean } | undefined
}

type ValueType = 'string' | 'number' | 'boolean' | 'list' | 'texts' | 'object' | undefined

/**
 * Returns the value that a text means at a path: a string stays one where the chart, its schema or what is set has one, and so do
 * numbers with a fraction. Everything else is what Helm's `--set` makes of it.
 * @throws InvalidInputError for a single value in the place of a list or an object
 */
export function wantedValue(known: KnownValues, path: ValuePath, name: string, text: string): WantedValue {
  const type = typeAt(known, path)
  if (type === 'string') return textValue(text)
  if (
    type === 'number' &&
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) &&
    !/^-?\d+$/.test(text)
  ) {
    return { value: new Float(Number(text)), parameter: undefined }
  }
  const isNull = text.toLowerCase() === 'null'
  if ((type === 'list' || type === 'texts') && !isNull) {
    const written = yamlValue(text)
    if (isList(written)) return { value: written, parameter: undefined }
    if (!/^\{.*\}$/s.test(text)) {
      throw new InvalidInputError(
        `${name} is a list of the chart; set an item as ${name}[0], or all as {a,b} or as YAML`,
      )
    }
    return setText(text, type === 'texts')
  }
  if (type === 'object' && !isNull) {
    const written = yamlValue(text)
    if (isValueMap(written)) return { value: written, parameter: undefined }
    throw new InvalidInputError(
      `${name} is an object of the chart; set its values one by one, as ${name}.key, or all as YAML`,
    )
  }
  return setText(text, false)
}

/** Returns a list or an object as somebody types it; undefined for a text that is none. */
function yamlValue(text: string): Value | undefined {
  try {
    return readLocatedDocuments(text, 'value')[0]?.value
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

function setText(text: string, isText: boolean): WantedValue {
  return { value: setValue(text, isText, { file: '' }).value, parameter: { value: text, isText } }
}

/** A string, with what `--set` would take for something else escaped. */
function textValue(text: string): WantedValue {
  const isEscaped = text.includes('\\') || text.startsWith('{')
  const value = isEscaped ? text.replaceAll(/[\\,]|^\{/g, String.raw`\$&`) : text
  const plain = parseSetValue(value, false, {})
  return { value: text, parameter: { value, isText: plain.kind !== 'scalar' || plain.type !== 'string' } }
}

function typeAt(known: KnownValues, path: ValuePath): ValueType {
  const ofSchema = typeOfSchema(schemaType(known.schema, path))
  if (ofSchema !== undefined && isSingle(ofSchema)) return ofSchema
  // An item behind the last one is like the first.
  const first = path.map((step) => (typeof step === 'number' ? 0 : step))
  const ofChart = typeOf(valueAt(known.defaults, path))
  const seen = valueAt(known.seen, path)
  // Of a list or object that something else was set over, nothing is left that could get lost.
  if (ofChart !== undefined && !isSingle(ofChart) && seen !== undefined) return typeOf(seen)
  return (
    ofChart ??
    ofSchema ??
    typeOf(seen) ??
    typeOf(valueAt(known.defaults, first)) ??
    typeOf(valueAt(known.seen, first))
  )
}

function isSingle(type: NonNullable<ValueType>): boolean {
  return type === 'string' || type === 'number' || type === 'boolean'
}

function typeOf(value: Value | undefined): ValueType {
  if (value === undefined || value === null) return undefined
  if (isList(value))
    return value.length > 0 && value.every((item) => typeof item === 'string') ? 'texts' : 'list'
  if (isValueMap(value)) return 'object'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}

function typeOfSchema(type: string | undefined): ValueType {
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'object') return type
  if (type === 'array') return 'list'
  return type === 'integer' ? 'number' : undefined
}
