import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { announcementFields } from '../announcements/announcement-fields.ts'
import {
  type Fields,
  type Reading,
  below,
  isAbsent,
  isObjectNode,
  itemsOf,
  readFields,
  rejection,
  warn,
} from '../reading.ts'
import { readArray, readMap } from '../values/collections.ts'
import { readGroup, readName } from '../values/name-and-group.ts'
import { readScalar } from '../values/scalar.ts'
import { type TypedValue, readTypeFields, readTypedValue, typeFields } from '../values/typed-value.ts'
import type { MapEntry, Parameter } from './parameter.ts'

const singleFields = ['value', ...typeFields] as const

const knownFields = ['name', 'group', 'section', ...singleFields, 'array', 'map']

/**
 * Reads the parameters that a source sets, each in any form of the proposal or in Argo CD's; null is none. The places are
 * those of the list. A parameter's oddities are in its warnings.
 *
 * @throws InvalidInputError with the place and the position in the list.
 */
export function readParameters(value: unknown, places: FieldPlaces): Parameter[] {
  const reading: Reading = { places, path: [], onWarning: () => {} }
  return itemsOf(reading, value).map((item, index) => readParameter(below(reading, index), item))
}

function readParameter(list: Reading, value: unknown): Parameter {
  const warnings: string[] = []
  const reading: Reading = {
    ...list,
    // A parameter is a part of fingerprints, which no moved line should change.
    onWarning: (message) => warnings.push(message),
  }
  // A source that is copied from an announcement may keep what that says to user interfaces.
  const fields = readFields(reading, value, knownFields, announcementFields)
  const name = readName(reading, fields)
  const group = readGroup(reading, fields)
  const single = readSingle(reading, fields)
  const array = readItems(below(reading, 'array'), fields)
  const map = readEntries(below(reading, 'map'), fields)
  const form = formOf(fields)
  const kinds = [single && 'a single value', array && 'an array', map && 'a map'].filter(isText)
  if (kinds.length > 1) warn(reading, `sets ${kinds.join(' and ')}; the plugin is given all of them`)
  return {
    name,
    group,
    ...(single && { string: textOf(single) }),
    ...(array && { array }),
    ...(map && { map }),
    form,
    itemType: single === undefined || single.plain ? '' : single.type,
    warnings,
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined
}

function formOf(fields: Fields): Parameter['form'] {
  const [array, map] = [fields.get('array'), fields.get('map')]
  const items: readonly unknown[] = Array.isArray(array) ? array : []
  const isTyped =
    isObjectNode(fields.get('value')) ||
    [fields.get('number'), fields.get('boolean')].some((value) => !isAbsent(value)) ||
    Array.isArray(map) ||
    items.some(isObjectNode)
  if (isTyped) return 'typed'
  return isAbsent(fields.get('value')) ? 'flat' : 'value'
}

/** A single value stands in one field; in `string` as Argo CD has it, where a number is its text. */
function readSingle(reading: Reading, fields: Fields): TypedValue | undefined {
  const present = singleFields.filter((name) => !isAbsent(fields.get(name)))
  const [only] = present
  if (present.length > 1) throw rejection(reading, `sets ${present.join(' and ')}; keep one`)
  if (only === 'value') return readTypedValue(below(reading, only), fields.get(only), 'nothing')
  if (only !== 'string') return readTypeFields(reading, fields, typeFields)
  const { written } = readScalar(below(reading, only), fields.get(only))
  return { type: '', text: written, written, plain: true }
}

function textOf(value: TypedValue): string {
  return value.plain ? value.written : value.text
}

function readItems(reading: Reading, fields: Fields): string[] | undefined {
  return fields.has('array') ? readArray(reading, fields.get('array')).map(textOf) : undefined
}

function readEntries(reading: Reading, fields: Fields): MapEntry[] | undefined {
  if (!fields.has('map')) return undefined
  return [...readMap(reading, fields.get('map'))].map(([key, value]) => [key, textOf(value)])
}
