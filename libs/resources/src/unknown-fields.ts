import { nearestName } from '@wadi/errors/nearest-name.ts'
import { isRecord } from './object-checks.ts'
import type { FieldNames } from './application/source-fields.ts'

/** Returns an error for each field that is not known, with the one that was meant; lists are looked into, texts are not. */
export function unknownFields(value: unknown, known: FieldNames, at: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unknownFields(item, known, `${at}[${index}]`))
  }
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([field, content]) => {
    const inside = Object.hasOwn(known, field) ? known[field] : undefined
    if (inside === undefined) return [unknownField(`${at}.${field}`, field, Object.keys(known))]
    return inside === true ? [] : unknownFields(content, inside, `${at}.${field}`)
  })
}

function unknownField(path: string, field: string, known: readonly string[]): string {
  const meant = nearestName(field, known)
  const advice = meant === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${meant}?`
  return `unknown field ${path.slice(0, 300)}; ${advice}`
}
