import { type Fields, type Reading, isAbsent, isObjectNode, rejection } from '../reading.ts'
import { flatFields } from './announcement-fields.ts'
import type { AnnouncedDefault, Announcement } from './announcement.ts'
import { readFlatDefault } from './flat-form.ts'
import { readListDefault } from './list-form.ts'
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
