import type { Location } from '@wadi/errors/location.ts'
import type { SourceText } from '@wadi/file-trees/read-texts.ts'
import { lineAt } from '@wadi/manifests/source-line.ts'

/** A shorter value may be written anywhere by chance. */
const minValueLength = 6

/**
 * Finds the line of a value by the forms in which it may be written. A value that is written at several places, or at none
 * as it is, has no known line.
 */
export function placeOf(texts: readonly SourceText[], written: readonly string[]): Location | undefined {
  for (const value of written.filter(({ length }) => length >= minValueLength)) {
    const places = texts.flatMap((source) => placesIn(source, value))
    if (places.length === 1) return places[0]
  }
  return undefined
}

/** Returns at most two places: more decide nothing. */
function placesIn({ file, text }: SourceText, value: string): Location[] {
  const first = text.indexOf(value)
  if (first === -1) return []
  const isOnly = text.indexOf(value, first + 1) === -1
  return (isOnly ? [first] : [first, first]).map((offset) => ({ file, line: lineAt(text, offset) }))
}
