import { type Fields, type Reading, below, isAbsent, itemsOf, rejection } from '../reading.ts'
import { readFlag, readScalar } from '../values/scalar.ts'
import { isTextOf } from '../values/typed-value.ts'
import type { AnnouncedDefault } from './announcement.ts'

const otherForms = ['value', 'string', 'number', 'boolean', 'array', 'map']

/**
 * Reads the proposal's `{type, isList, defaultValues}`, whose defaults the plugin is given.
 *
 * @throws InvalidInputError for several defaults without `isList`, for one that is not of the type and for values of other forms.
 */
export function readListDefault(reading: Reading, fields: Fields, declaredType: string): AnnouncedDefault {
  const isList = readFlag(below(reading, 'isList'), fields.get('isList'))
  const other = otherForms.find((name) => !isAbsent(fields.get(name)))
  if (other !== undefined) {
    throw rejection(
      reading,
      `sets ${other} beside isList or defaultValues; keep one way to write the default`,
    )
  }
  const collectionType = isList ? 'array' : 'string'
  const declaredCollection = fields.get('collectionType')
  if (!isAbsent(declaredCollection) && declaredCollection !== '' && declaredCollection !== collectionType) {
    throw rejection(reading, `collectionType is not ${JSON.stringify(collectionType)}, as isList says`)
  }
  const items = readDefaultValues(below(reading, 'defaultValues'), fields.get('defaultValues'), declaredType)
  if (items.length > 1 && !isList) {
    throw rejection(reading, `has ${items.length} defaultValues, so isList must be true`)
  }
  const [text] = items
  const single = text === undefined ? undefined : ({ kind: 'string', text } as const)
  const list = fields.has('defaultValues') ? ({ kind: 'array', items } as const) : undefined
  return {
    form: 'list',
    itemType: declaredType,
    collectionType,
    default: isList ? list : single,
    sendDefault: items.length > 0,
  }
}

function readDefaultValues(reading: Reading, value: unknown, declaredType: string): string[] {
  return itemsOf(reading, value).map((item, index) => {
    const at = below(reading, index)
    const { text, written } = readScalar(at, item)
    if (!isTextOf(declaredType, text))
      throw rejection(at, `${JSON.stringify(written)} is not a ${declaredType}`)
    return declaredType === 'number' ? text : written
  })
}
