import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Characters that one text of an answer may have. */
const maxText = 4_096

/**
 * The text or number at a place such as `head.ref` in an answer, as a text.
 * @throws FailedPreconditionError when there is none
 */
export function textAt(value: unknown, place: string): string {
  const found = optionalTextAt(value, place)
  if (found === undefined) throw new FailedPreconditionError(`the answer has no ${place}; is it the API?`)
  return found
}

/** The text or number at a place as a text, undefined when there is none. */
export function optionalTextAt(value: unknown, place: string, longest = maxText): string | undefined {
  const found = valueAt(value, place)
  if (typeof found === 'number') return String(found)
  if (typeof found !== 'string') return undefined
  if (found.length <= longest) return found
  throw new FailedPreconditionError(`${place} in the answer has more than ${longest} characters`)
}

/** The texts of a list at a place, of its items' `name` where the items are maps; none when there is no list. */
export function textsAt(value: unknown, place: string): string[] {
  const found = valueAt(value, place)
  if (!Array.isArray(found)) return []
  return found.map((item: unknown) => (typeof item === 'string' ? item : textAt(item, 'name')))
}

/** Returns the string at a place for long texts; empty if there is none. */
export function longTextAt(value: unknown, place: string): string {
  return optionalTextAt(value, place, Infinity) ?? ''
}

/** The list at a place; empty when there is none. */
export function listAt(value: unknown, place: string): readonly unknown[] {
  const found = valueAt(value, place)
  return Array.isArray(found) ? found : []
}

/** True if `true` is at a place. */
export function isTrueAt(value: unknown, place: string): boolean {
  return valueAt(value, place) === true
}

/** Returns the value at a place; undefined if there is none. */
export function valueAt(value: unknown, place: string): unknown {
  let at = value
  for (const key of place.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}
