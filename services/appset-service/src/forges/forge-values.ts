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
export function optionalTextAt(value: unknown, place: string): string | undefined {
  const found = valueAt(value, place)
  if (typeof found === 'number') return String(found)
  if (typeof found !== 'string') return undefined
  if (found.length <= maxText) return found
  throw new FailedPreconditionError(`${place} in the answer has more than ${maxText} characters`)
}

/** The texts of a list at a place, of its items' `name` where the items are maps; none when there is no list. */
export function textsAt(value: unknown, place: string): string[] {
  const found = valueAt(value, place)
  if (!Array.isArray(found)) return []
  return found.map((item: unknown) => (typeof item === 'string' ? item : textAt(item, 'name')))
}

/** Whether `true` stands at a place. */
export function isTrueAt(value: unknown, place: string): boolean {
  return valueAt(value, place) === true
}

function valueAt(value: unknown, place: string): unknown {
  let at = value
  for (const key of place.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}
