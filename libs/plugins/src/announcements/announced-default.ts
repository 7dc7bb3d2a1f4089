import { below, type Fields, isAbsent, isObjectNode, itemsOf, type Reading, rejection } from '../reading.ts'
import { readFlag, readScalar } from '../values/scalar.ts'
import { isTextOf } from '../values/typed-value.ts'
import { flatFields } from './announcement-fields.ts'
import type { AnnouncedDefault, Announcement } from './announcement.ts'
import { readFlatDefault } from './flat-form.ts'
import { readTypedDefault } from './typed-form.ts'

/** Reads what an announcement says of its value, in the form that its fields show. */
export function readDefault(reading: Reading, fields: Fields): AnnouncedDefault {
  const declaredType = readDeclaredType(reading, fields)
  switch (formOf(fields)) {
    case 'list':
      return readListDefault(reading, fields, declaredType)
    case 'typed':
      return readTypedDefault(reading, fields, declaredType)
    default:
      return readFlatDefault(reading, fields, declaredType)
  }
}

function formOf(fields: Fields): Announcement['form'] {
  const has = (name: string) => fields.has(name)
  const [array, map] = [fields.get('array'), fields.get('map')]
  if (['defaultValues', 'isList'].some(has)) return 'list'
  if (['value', 'number', 'boolean'].some(has) || Array.isArray(map)) return 'typed'
  const items: readonly unknown[] = [...(Array.isArray(array) ? array : []), ...Object.values(map ?? {})]
  if (items.some(isObjectNode)) return 'typed'
  if (flatFields.some(has)) return has('type') ? 'typed' : 'flat'
  return ['type', 'group', 'section'].some(has) ? 'list' : 'flat'
}

function readDeclaredType(reading: Reading, fields: Fields): string {
  const declared = new Set<string>()
  for (const name of ['type', 'itemType']) {
    const value = fields.get(name)
    if (isAbsent(value) || value === '') continue
    if (typeof value !== 'string') throw rejection(reading, `${name} is not a string`)
    declared.add(value)
  }
  const [type = '', other] = declared
  if (other !== undefined) {
    throw rejection(
      reading,
      `type ${JSON.stringify(type)} and itemType ${JSON.stringify(other)} differ; keep one`,
    )
  }
  return type
}

const otherForms = ['value', 'string', 'number', 'boolean', 'array', 'map']

/**
 * Reads the proposal's `{type, isList, defaultValues}`, whose defaults the plugin is given.
 *
 * @throws InvalidInputError for several defaults without `isList`, for one that is not of the type and for values of other forms.
 */
function readListDefault(reading: Reading, fields: Fields, declaredType: string): AnnouncedDefault {
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
