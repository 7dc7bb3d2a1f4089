import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import { fieldPath } from './field-path.ts'

/** The places of a value's fields in files, for errors about them. */
export interface FieldPlaces {
  /** The owner of the fields, if no file says it: `Render`; otherwise empty. */
  readonly subject: string
  /** Stands in front of the path of every field: `spec.helm` or `spec.helm.`; empty for the root of a file. */
  readonly above: string
  /** The place of a field; undefined when it is in no file. */
  readonly at: (steps: readonly PropertyKey[]) => Location | undefined
}

/** A finding with the keys and indexes that lead to its field. */
interface PlacedFinding {
  readonly steps: readonly PropertyKey[]
  readonly path: string
  readonly message: string
}

/** Fields that one error names. */
const maxReported = 10

/** Returns the places of fields that are in no file. */
export function unplaced(subject: string, above = ''): FieldPlaces {
  return { subject, above, at: () => undefined }
}

/** Returns the whole path of a field: `spec.helm.parameters[0].value`. */
export function pathIn({ above }: Pick<FieldPlaces, 'above'>, steps: readonly PropertyKey[]): string {
  const path = fieldPath(steps)
  const parent = above.replace(/\.$/, '')
  if (parent === '' || path === '' || path.startsWith('[')) return `${parent}${path}`
  return `${parent}.${path}`
}

/** Returns the places of what is below one of the fields, to which the steps lead. */
export function placesBelow(places: FieldPlaces, ...steps: PropertyKey[]): FieldPlaces {
  const { subject, at } = places
  return { subject, above: pathIn(places, steps), at: (more) => at([...steps, ...more]) }
}

/** Returns the error for findings: with the place of the only one as data, or with a line for each of the first ten. */
export function findingsError(
  findings: readonly PlacedFinding[],
  { subject, at }: Pick<FieldPlaces, 'subject' | 'at'>,
): InvalidInputError {
  const errors = findings.map(({ steps, path, message }) => {
    const reason = subject === '' ? message : `${subject}: ${message}`
    return new InvalidInputError(reason, { at: at(steps), path })
  })
  const [only, ...others] = errors
  if (only !== undefined && others.length === 0) return only
  const messages = errors.map((error) => error.message)
  return new InvalidInputError(someOf(messages, maxReported).join('\n'))
}
