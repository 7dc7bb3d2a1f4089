import { DomainError } from '@wadi/errors/domain-error.ts'
import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { readJqPath } from './jq-path.ts'
import { type Place, readJsonPointer } from './kept-place.ts'

/** Values of Applications that somebody else decides once they exist. */
export interface IgnoredDifference {
  /** The Application that it is about; undefined for all of a set. */
  name: string | undefined
  places: readonly Place[]
}

type ReadPlace = (text: string) => Place

const maxPlaces = 50
const field = 'ignoreApplicationDifferences'
const readers: readonly [string, ReadPlace][] = [
  ['jsonPointers', readJsonPointer],
  ['jqPathExpressions', readJqPath],
]

/** Reads `ignoreApplicationDifferences` of a set's `spec`, which may name 50 places; what is wrong is noted. */
export function readIgnoredDifferences(
  reader: FieldReader,
  spec: Record<string, unknown>,
): IgnoredDifference[] {
  const differences = reader.list(spec, field, 'spec.').map((item, index): IgnoredDifference => {
    const at = `spec.${field}[${index}]`
    if (!reader.isObject(item, at)) {
      return { name: undefined, places: [] }
    }
    const name = reader.string(item, 'name', `${at}.`) || undefined
    const places = readers.flatMap(([list, read]) =>
      reader.strings(item, list, `${at}.`).flatMap((text, position) => {
        const path = `${at}.${list}[${position}]`
        return readPlace(reader, read, text, path)
      }),
    )
    return { name, places }
  })
  const count = differences.reduce((sum, { places }) => sum + places.length, 0)
  if (count > maxPlaces)
    reader.report(`spec.${field} names ${count} places; at most ${maxPlaces} are accepted`)
  return differences
}

function readPlace(reader: FieldReader, read: ReadPlace, text: string, path: string): Place[] {
  try {
    return [read(text)]
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    reader.report(`${path}: ${error.message}`)
    return []
  }
}
