import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { inferScalar } from '@wadi/params/resolve/assign.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { jsonText, toJson } from '@wadi/params/values/value-json.ts'
import { Float, isValueMap, type Value } from '@wadi/params/values/value.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import type { ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import { valueText } from '../yaml-edit/block-text.ts'

/** The form in which a value of a file is shown and edited: `yaml` is a list or an object as YAML. */
export interface ValueForm {
  readonly type: string
  readonly collection: 'string' | 'array'
}

/** The form that takes any value. */
export const yamlForm: ValueForm = { type: 'yaml', collection: 'string' }

/** True if a form can show a value. */
export function fits(value: Value, { type, collection }: ValueForm): boolean {
  if (collection === 'array') return isList(value) && value.every(isScalar)
  return type === 'yaml' || isScalar(value)
}

function isScalar(value: Value): boolean {
  return !isList(value) && !isValueMap(value)
}

/** The form that fits a value. */
export function formOf(value: Value): ValueForm {
  if (isList(value) && value.length > 0) {
    const types = new Set(value.map(typeOf))
    const [type = 'yaml'] = types
    const isPlain = types.size === 1 && ['string', 'number', 'boolean'].includes(type)
    return isPlain ? { type, collection: 'array' } : yamlForm
  }
  return { type: typeOf(value), collection: 'string' }
}

function typeOf(value: Value): string {
  if (typeof value === 'string') return value.includes('\n') ? 'multiline-string' : 'string'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float ? 'number' : 'yaml'
}

/** A value as the text or the list of texts that its form shows. */
export function shownValue(value: Value, { collection }: ValueForm): ParameterValue {
  return collection === 'array' && isList(value)
    ? { kind: 'array', items: value.map(textOf) }
    : { kind: 'string', text: textOf(value) }
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value
  return isList(value) || isValueMap(value) ? valueText(toJson(value), -2).trim() : jsonText(value)
}

/**
 * The value that a text or a list of texts means; without a form, `true`, `false` and integers are what they look like.
 * @throws InvalidInputError naming the parameter for what its form does not take
 */
export function writtenValue(name: string, value: ParameterValue, form: ValueForm | undefined): JsonValue {
  if (value.kind === 'map') throw new InvalidInputError(`${name}: write the object as YAML`)
  const isListForm = form?.collection === 'array'
  if (value.kind === 'array') {
    if (form !== undefined && !isListForm) throw new InvalidInputError(`${name} takes a single value`)
    return value.items.map((text) => scalarOf(name, text, form?.type))
  }
  if (isListForm) throw new InvalidInputError(`${name} is a list; set an item of it, like ${name}[0]`)
  return scalarOf(name, value.text, form?.type)
}

function scalarOf(name: string, text: string, type: string | undefined): JsonValue {
  if (type === undefined) return toJson(inferScalar(text))
  if (type === 'number') return numberOf(name, text)
  if (type === 'yaml') return yamlOf(name, text)
  if (type !== 'boolean') return text
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidInputError(`${name}: ${JSON.stringify(text)} is neither true nor false`)
}

function numberOf(name: string, text: string): JsonValue {
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) {
    const integer = BigInt(text)
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
  }
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number))
    throw new InvalidInputError(`${name}: ${JSON.stringify(text)} is not a number`)
  if (String(number) === text) return number
  throw new InvalidInputError(`${name}: write ${number} for ${JSON.stringify(text)}`)
}

function yamlOf(name: string, text: string): JsonValue {
  const documents = readLocatedDocuments(text, name)
  if (documents.length > 1) throw new InvalidInputError(`${name}: one YAML document is a value, not several`)
  return documents[0] === undefined ? null : toJson(documents[0].value)
}
