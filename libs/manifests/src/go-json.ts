import { byBytes } from '@wadi/order/by-bytes.ts'

const escapes = /[<>&\u2028\u2029]/g

/** A text as Go writes it in JSON: `<`, `>`, `&` and the line separators U+2028 and U+2029 are escaped too. */
export function goJsonText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(
    escapes,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** An object of fields in the given order, whose values are JSON. */
export function goJsonObject(fields: Iterable<readonly [name: string, json: string]>): string {
  return `{${Array.from(fields, ([name, json]) => `${goJsonText(name)}:${json}`).join(',')}}`
}

/** Entries in the order in which Go goes through the keys of a map: that of their bytes in UTF-8. */
export function inKeyOrder<Entry extends readonly [string, unknown]>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(([one], [other]) => byBytes(one, other))
}
