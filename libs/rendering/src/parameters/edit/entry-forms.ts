import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { EntryForm } from './list-change.ts'
import { scalarText } from '../../source/scalar-text.ts'

/** `{name, value}`, and whatever else the item has. */
export const namedValueForm = namedForm('value', (value) => value)

/** `{name, path}`. */
export const namedPathForm = namedForm('path', (value) => value)

/** An object with a name and one more field; other fields of it stay. */
export function namedForm(field: string, write: (value: string, name: string) => JsonValue): EntryForm {
  const text = (item: JsonValue, key: string): string => (isJsonObject(item) ? scalarText(item[key]) : '')
  return {
    keyOf: (item) => text(item, 'name'),
    valueOf: (item) => text(item, field),
    write: (name, value, before) => ({
      ...(isJsonObject(before) ? before : {}),
      name,
      [field]: write(value, name),
    }),
  }
}
