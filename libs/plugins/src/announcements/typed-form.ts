import { type Fields, type Reading, below, isAbsent, rejection, warn } from '../reading.ts'
import { readArray, readMap } from '../values/collections.ts'
import {
  type TypedValue,
  isTextOf,
  readTypeFields,
  readTypedValue,
  typeFields,
} from '../values/typed-value.ts'
import type { AnnouncedDefault } from './announcement.ts'

const kinds = ['value', ...typeFields, 'array', 'map'] as const

/**
 * Reads the proposal's `value: {number: 1}`, `array: [{…}]` and `map: [{name, …}]`.
 *
 * @throws InvalidInputError for several of them and for values that are not of the declared type.
 */
export function readTypedDefault(reading: Reading, fields: Fields, declaredType: string): AnnouncedDefault {
  const present = kinds.filter((kind) => !isAbsent(fields.get(kind)))
  if (present.length > 1) throw rejection(reading, `sets ${present.join(' and ')}; keep one`)
  const [kind] = present
  const collectionType = kind === 'array' || kind === 'map' ? kind : 'string'
  const result = { form: 'typed', collectionType, sendDefault: false } as const
  checkCollectionType(reading, fields, kind === undefined ? undefined : collectionType)
  if (kind === undefined) {
    const declared = collectionTypeOf(fields) ?? 'string'
    return { ...result, collectionType: declared, itemType: declaredType, default: undefined }
  }
  const at = below(reading, kind)
  const text = (value: TypedValue, node: Reading) => checked(node, value, declaredType)
  if (kind === 'array') {
    const values = readArray(at, fields.get(kind))
    const items = values.map((value, index) => text(value, below(at, index)))
    return { ...result, itemType: itemTypeOf(declaredType, values), default: { kind, items } }
  }
  if (kind === 'map') {
    const values = readMap(at, fields.get(kind))
    const entries = [...values].map(([key, value]) => [key, text(value, at)] as const)
    return { ...result, itemType: itemTypeOf(declaredType, [...values.values()]), default: { kind, entries } }
  }
  const value =
    kind === 'value'
      ? readTypedValue(at, fields.get(kind), 'nothing')
      : readTypeFields(reading, fields, typeFields)
  return {
    ...result,
    itemType: itemTypeOf(declaredType, value === undefined ? [] : [value]),
    default: value && { kind: 'string', text: text(value, at) },
  }
}

/** The type of items that users add: the declared one, else that of the last default. */
function itemTypeOf(declaredType: string, values: readonly TypedValue[]): string {
  return declaredType === '' ? (values.at(-1)?.type ?? '') : declaredType
}

function checked(reading: Reading, value: TypedValue, declaredType: string): string {
  const { type, text, written } = value
  const isChecked = declaredType === 'string' || declaredType === 'number' || declaredType === 'boolean'
  const isWrong = type === '' ? !isTextOf(declaredType, text) : type !== declaredType
  if (isChecked && isWrong) {
    const found = type === '' ? 'text' : type
    throw rejection(
      reading,
      `the ${found} ${JSON.stringify(written)} is not a ${declaredType}, the declared type`,
    )
  }
  return text
}

function collectionTypeOf(fields: Fields): 'string' | 'array' | 'map' | undefined {
  const value = fields.get('collectionType')
  return value === 'string' || value === 'array' || value === 'map' ? value : undefined
}

function checkCollectionType(reading: Reading, fields: Fields, found: string | undefined): void {
  const value = fields.get('collectionType')
  if (isAbsent(value) || value === '') return
  const declared = collectionTypeOf(fields)
  if (declared === undefined) {
    warn(reading, `collectionType ${JSON.stringify(value)} is none of "string", "array" and "map"`)
  } else if (found !== undefined && declared !== found) {
    throw rejection(reading, `collectionType is "${declared}", but the default is of "${found}"`)
  }
}
