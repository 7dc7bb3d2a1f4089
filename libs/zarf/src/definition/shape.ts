import type { ValueType } from '@wadi/fields/field-view.ts'
import { locatedView } from '@wadi/params/values/located-view.ts'
import { Float } from '@wadi/params/values/value.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { Finding } from '../lint/finding.ts'
import { entriesOf, itemsOf } from './located-tree.ts'

/** The permitted content of a place in a file. */
export type Shape =
  | { kind: 'text'; pattern?: RegExp; oneOf?: readonly string[] }
  | { kind: 'flag' }
  | { kind: 'integer' }
  | { kind: 'anything' }
  | { kind: 'list'; items: Shape; nonEmpty?: boolean }
  | { kind: 'texts' }
  | { kind: 'fields'; fields: ReadonlyMap<string, Shape>; required: readonly string[] }

/** A text. */
export const text: Shape = { kind: 'text' }
/** True or false. */
export const flag: Shape = { kind: 'flag' }
/** An integer. */
export const integer: Shape = { kind: 'integer' }
/** A map of texts. */
export const texts: Shape = { kind: 'texts' }
/** A list of texts. */
export const textList: Shape = { kind: 'list', items: text }

/** A text that matches a pattern. The pattern must be safe for hostile texts. */
export function patternText(pattern: RegExp): Shape {
  return { kind: 'text', pattern }
}

/** One of some texts. */
export function oneOf(...values: string[]): Shape {
  return { kind: 'text', oneOf: values }
}

/** A list. */
export function listOf(items: Shape, nonEmpty = false): Shape {
  return { kind: 'list', items, nonEmpty }
}

/** A map of known fields; a name that ends with `!` is required. Fields that begin with `x-` are always allowed. */
export function fieldsOf(fields: Record<string, Shape>): Shape {
  const entries = Object.entries(fields)
  return {
    kind: 'fields',
    fields: new Map(entries.map(([name, shape]) => [name.replace(/!$/, ''), shape])),
    required: entries.flatMap(([name]) => (name.endsWith('!') ? [name.slice(0, -1)] : [])),
  }
}

/** The types of values that a shape takes. */
const wantedTypes: Readonly<Record<Exclude<Shape['kind'], 'anything'>, ValueType>> = {
  text: 'string',
  flag: 'boolean',
  integer: 'number',
  list: 'list',
  texts: 'object',
  fields: 'object',
}

/** The types as JSON Schema names them, and Zarf's lint after it. */
const schemaTypes: Readonly<Record<ValueType, string>> = {
  null: 'null',
  boolean: 'boolean',
  number: 'integer',
  string: 'string',
  list: 'array',
  object: 'object',
}

/** Adds a finding for each part of a tree that does not have its shape, in the words of Zarf's lint. */
export function checkShape(located: Located, shape: Shape, findings: Finding[], path = ''): void {
  const report = (message: string, at = located.at): void => {
    findings.push({ severity: 'error', message: `${path === '' ? '(root)' : path} | ${message}`, at })
  }
  const { value } = located
  if (shape.kind === 'anything') {
    return
  }
  const wanted = wantedTypes[shape.kind]
  const given = schemaType(located)
  if (locatedView.typeOf(located) !== wanted || (wanted === 'number' && given !== schemaTypes.number)) {
    report(`Invalid type. Expected: ${schemaTypes[wanted]}, given: ${given}`)
  } else if (shape.kind === 'text' && typeof value === 'string') {
    if (shape.pattern !== undefined && !shape.pattern.test(value)) {
      report(`Does not match pattern '${shape.pattern.source.replaceAll('\\/', '/')}': ${value}`)
    }
    if (shape.oneOf !== undefined && !shape.oneOf.includes(value)) {
      report(`must be one of the following: ${shape.oneOf.map((each) => `"${each}"`).join(', ')}`)
    }
  } else if (shape.kind === 'list') {
    if (shape.nonEmpty === true && Array.isArray(value) && value.length === 0) {
      report('Array must have at least 1 items')
    }
    for (const [index, item] of itemsOf(located).entries()) {
      checkShape(item, shape.items, findings, `${path}.[${index}]`)
    }
  } else if (shape.kind === 'texts') {
    for (const [key, part] of entriesOf(located)) {
      checkShape(part, text, findings, `${path}.${key}`)
    }
  } else if (shape.kind === 'fields') {
    checkFields(located, shape, findings, path, report)
  }
}

function checkFields(
  located: Located,
  shape: Shape & { kind: 'fields' },
  findings: Finding[],
  path: string,
  report: (message: string, at?: Located['at']) => void,
): void {
  const entries = entriesOf(located)
  for (const name of shape.required) {
    if (!entries.some(([key]) => key === name)) {
      report(`${name} is required`)
    }
  }
  for (const [key, part] of entries) {
    const field = shape.fields.get(key)
    if (field !== undefined) {
      checkShape(part, field, findings, `${path}.${key}`)
    } else if (!key.startsWith('x-')) {
      report(`Additional property ${key} is not allowed`, part.at)
    }
  }
}

function schemaType(located: Located): string {
  return located.value instanceof Float ? 'number' : schemaTypes[locatedView.typeOf(located)]
}
