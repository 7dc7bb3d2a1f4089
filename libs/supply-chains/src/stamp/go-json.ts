import { isList } from '@wadi/params/values/value-tree.ts'
import { Float, isValueMap } from '@wadi/params/values/value.ts'
import type { Value } from '@wadi/params/values/value.ts'

const escapedForHtml = /[<>&\u2028\u2029]/g

/** Returns the value as Go's encoding/json writes it: keys sorted, `<`, `>` and `&` escaped, `1.0` as `1`. */
export function goJsonText(value: Value): string {
  if (value instanceof Float) return String(value.value)
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  if (isList(value)) return `[${value.map(goJsonText).join(',')}]`
  if (isValueMap(value)) {
    const members = Array.from(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([key, member]) => `${goJsonText(key)}:${goJsonText(member)}`).join(',')}}`
  }
  return JSON.stringify(value).replace(
    escapedForHtml,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
