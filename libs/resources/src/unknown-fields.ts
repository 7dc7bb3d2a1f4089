import { unknownField } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { FieldNames } from './application/source-fields.ts'

/** Returns an error for each field that is not known, with the one that was meant; lists are looked into, texts are not. */
export function unknownFields(value: unknown, known: FieldNames, at: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unknownFields(item, known, `${at}[${index}]`))
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([field, content]) => {
    const inside = Object.hasOwn(known, field) ? known[field] : undefined
    if (inside === undefined) return [unknownField(`${at}.${field}`, field, Object.keys(known))]
    return inside === true ? [] : unknownFields(content, inside, `${at}.${field}`)
  })
}
