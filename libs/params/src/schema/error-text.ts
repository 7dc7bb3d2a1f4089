import type { ErrorObject } from 'ajv'
import type { PlainValue } from './schema-json.ts'

/** Returns what is wrong in the words of Zarf's checker, or in ajv's where that has none. `field` names the value. */
export function errorText(error: ErrorObject, field: string, value: PlainValue | undefined): string {
  const text = texts.get(error.keyword)?.(new Map(Object.entries(error.params)), field, value)
  return text ?? error.message ?? error.keyword
}

type ErrorText = (
  params: ReadonlyMap<string, unknown>,
  field: string,
  value: PlainValue | undefined,
) => string | undefined

const comparisons = new Map([
  ['>=', 'Must be greater than or equal to'],
  ['>', 'Must be greater than'],
  ['<=', 'Must be less than or equal to'],
  ['<', 'Must be less than'],
])

const limit: ErrorText = (params) => {
  const comparison = comparisons.get(String(params.get('comparison')))
  return comparison && `${comparison} ${String(params.get('limit'))}`
}

const withLimit =
  (before: string, after = ''): ErrorText =>
  (params) =>
    `${before} ${String(params.get('limit'))}${after}`

const fixed =
  (text: string): ErrorText =>
  () =>
    text

const texts = new Map<string, ErrorText>([
  [
    'type',
    (params, _field, value) =>
      `Invalid type. Expected: ${String(params.get('type')).replaceAll(',', '/')}, given: ${typeOf(value)}`,
  ],
  ['required', (params) => `${String(params.get('missingProperty'))} is required`],
  [
    'additionalProperties',
    (params) => `Additional property ${String(params.get('additionalProperty'))} is not allowed`,
  ],
  [
    'unevaluatedProperties',
    (params) => `Unevaluated property ${String(params.get('unevaluatedProperty'))} is not allowed`,
  ],
  ['dependencies', dependency],
  ['dependentRequired', dependency],
  [
    'enum',
    (params, field) => `${field} must be one of the following: ${allowedText(params.get('allowedValues'))}`,
  ],
  ['const', (params, field) => `${field} does not match: ${JSON.stringify(params.get('allowedValue'))}`],
  ['minimum', limit],
  ['maximum', limit],
  ['exclusiveMinimum', limit],
  ['exclusiveMaximum', limit],
  ['multipleOf', (params) => `Must be a multiple of ${String(params.get('multipleOf'))}`],
  ['minLength', withLimit('String length must be greater than or equal to')],
  ['maxLength', withLimit('String length must be less than or equal to')],
  ['pattern', (params) => `Does not match pattern '${String(params.get('pattern'))}'`],
  ['format', (params) => `Does not match format '${String(params.get('format'))}'`],
  ['minItems', withLimit('Array must have at least', ' items')],
  ['maxItems', withLimit('Array must have at most', ' items')],
  [
    'uniqueItems',
    (params) => `array items[${String(params.get('j'))},${String(params.get('i'))}] must be unique`,
  ],
  ['minProperties', withLimit('Must have at least', ' properties')],
  ['maxProperties', withLimit('Must have at most', ' properties')],
  [
    'propertyNames',
    (params) => `Property name of ${JSON.stringify(params.get('propertyName'))} does not match`,
  ],
  ['contains', fixed('At least one of the items must match')],
  ['anyOf', fixed('Must validate at least one schema (anyOf)')],
  ['oneOf', fixed('Must validate one and only one schema (oneOf)')],
  ['not', fixed('Must not validate the schema (not)')],
  [
    'if',
    (params) => {
      const was = params.get('failingKeyword') === 'then' ? 'valid' : 'not valid'
      return `Must validate "${String(params.get('failingKeyword'))}" as "if" was ${was}`
    },
  ],
])

function dependency(params: ReadonlyMap<string, unknown>): string {
  return `Has a dependency on ${String(params.get('missingProperty'))}`
}

function allowedText(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : ''
}

function typeOf(value: PlainValue | undefined): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
