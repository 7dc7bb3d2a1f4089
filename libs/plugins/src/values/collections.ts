import {
  type Reading,
  below,
  entriesOf,
  isAbsent,
  isObjectNode,
  itemsOf,
  rejection,
  warn,
} from '../reading.ts'
import { readScalar } from './scalar.ts'
import { type TypedValue, readTypedValue } from './typed-value.ts'

/** The value of an item without one. */
const empty: TypedValue = { type: '', text: '', written: '', plain: true }

/**
 * Reads a list of single values; an item that is null is the empty text.
 *
 * @throws InvalidInputError for items that are none.
 */
export function readArray(reading: Reading, value: unknown): TypedValue[] {
  return itemsOf(reading, value).map(
    (item, index) => readTypedValue(below(reading, index), item, 'nothing') ?? empty,
  )
}

/**
 * Reads a map: an object, or a list of items with names, of which the last one with a name applies.
 *
 * @throws InvalidInputError for an item without a name and for items that are no single values.
 */
export function readMap(reading: Reading, value: unknown): Map<string, TypedValue> {
  return Array.isArray(value) ? readNamedItems(reading, value) : readObject(reading, value)
}

function readObject(reading: Reading, value: unknown): Map<string, TypedValue> {
  const entries = new Map<string, TypedValue>()
  for (const [key, item] of entriesOf(reading, value)) {
    if (key === '') warn(reading, 'has an entry with an empty name, which makes no variable')
    checkKey(reading, key)
    entries.set(key, readTypedValue(below(reading, key), item, 'nothing') ?? empty)
  }
  return entries
}

function readNamedItems(reading: Reading, items: readonly unknown[]): Map<string, TypedValue> {
  const entries = new Map<string, TypedValue>()
  for (const [index, item] of items.entries()) {
    const at = below(reading, index)
    if (!isObjectNode(item)) throw rejection(at, 'expected an item {name, value} of a map')
    const key = nameOf(at, item)
    if (entries.has(key)) warn(at, `the name ${JSON.stringify(key)} comes again; the last one applies`)
    const value = readTypedValue(at, item, 'a key')
    if (value === undefined) warn(at, `${JSON.stringify(key)} has no value and is empty`)
    entries.set(key, value ?? empty)
  }
  return entries
}

function nameOf(reading: Reading, item: object): string {
  const value = 'name' in item ? item.name : undefined
  const name = isAbsent(value) ? '' : readScalar(below(reading, 'name'), value).written
  if (name === '') throw rejection(reading, 'an item of a map needs a name')
  return name
}

function checkKey(reading: Reading, key: string): void {
  readScalar(reading, key)
}
