import { isNumberText } from '../number-text.ts'
import {
  type Fields,
  type Reading,
  below,
  isAbsent,
  isObjectNode,
  readFields,
  rejection,
  warn,
} from '../reading.ts'
import { readScalar, readText } from './scalar.ts'

/** The types of single values. */
export type ScalarType = 'string' | 'number' | 'boolean'

/** A single value. */
export interface TypedValue {
  /** `''` for a plain text, which says nothing of its type. */
  readonly type: '' | ScalarType
  /** Numbers in decimal digits. */
  readonly text: string
  /** As it was written. */
  readonly written: string
  /** True if it is written as it is, not in `{string: …}`, `{number: …}` or `{boolean: …}`. */
  readonly plain: boolean
}

/** The fields that carry a single value of a type. */
export const typeFields = ['string', 'number', 'boolean'] as const

/** True if a string can be a value of a type; types that are hints to user interfaces accept any. */
export function isTextOf(type: string, text: string): boolean {
  if (type === 'number') return isNumberText(text)
  return type !== 'boolean' || text === 'true' || text === 'false'
}

/**
 * Reads a single value: plain, or `{string|number|boolean|value: …}`. A `name` in it means nothing, but for the items of
 * maps. Undefined when there is none.
 *
 * @throws InvalidInputError when several are set, or one is not of its type.
 */
export function readTypedValue(
  reading: Reading,
  value: unknown,
  nameIs: 'a key' | 'nothing',
): TypedValue | undefined {
  if (!isObjectNode(value)) return isAbsent(value) ? undefined : readPlain(reading, value)
  const fields = readFields(reading, value, [...typeFields, 'value', 'name'])
  if (nameIs === 'nothing' && fields.has('name')) {
    warn(below(reading, 'name'), 'means nothing here and is ignored: only the items of a map have names')
  }
  return readTypeFields(reading, fields, [...typeFields, 'value'])
}

/**
 * Reads the one field of some that has a value.
 *
 * @throws InvalidInputError when there are several, or one is not of its type.
 */
export function readTypeFields(
  reading: Reading,
  fields: Fields,
  names: readonly (ScalarType | 'value')[],
): TypedValue | undefined {
  const present = names.filter((name) => !isAbsent(fields.get(name)))
  const [only] = present
  if (present.length > 1) throw rejection(reading, `sets ${present.join(' and ')}; keep one`)
  if (only === undefined) return undefined
  const value = fields.get(only)
  return only === 'value'
    ? readPlain(below(reading, only), value)
    : readOfType(below(reading, only), value, only)
}

function readPlain(reading: Reading, value: unknown): TypedValue {
  const { type, text, written } = readScalar(reading, value)
  return { type: type === 'string' ? '' : type, text, written, plain: true }
}

function readOfType(reading: Reading, value: unknown, type: ScalarType): TypedValue {
  if (type === 'string') {
    const text = readText(reading, value)
    return { type, text, written: text, plain: false }
  }
  const { text, written } = readScalar(reading, value)
  if (!isTextOf(type, text)) throw rejection(reading, `${JSON.stringify(written)} is not a ${type}`)
  return { type, text, written, plain: false }
}
