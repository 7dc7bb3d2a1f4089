import { nearestName } from '@wadi/errors/nearest-name.ts'
import { jsonType } from './field-view.ts'
import type { ValueType } from './field-view.ts'

/** Something wrong with a field, as data. */
export interface FieldFinding<Node = unknown> {
  /** For example `spec.source.path` or `spec.roles[0]`. */
  readonly path: string
  /** The whole sentence, which names the path. */
  readonly message: string
  /** `value` is everything that only its reader knows, for example a branch name that git does not accept. */
  readonly code: 'missing' | 'type' | 'unknown' | 'value'
  /** The value that is wrong, or the object that lacks it; undefined when the reader does not know it. */
  readonly node?: Node | undefined
}

/** Characters of a path in an error; keys may be long. */
const maxPath = 300

const typeNames: Record<ValueType, string> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  string: 'a string',
  list: 'a list',
  object: 'an object',
}

/** Returns a type with its article: `a string`, `an object`. */
export function typeName(type: ValueType): string {
  return typeNames[type]
}

/** Returns what is wrong with plain data of another type: `must be a string, not a number`. */
export function mustBe(wanted: ValueType, value: unknown): string {
  return wrongType(wanted, jsonType(value))
}

/** Returns the same for a value whose type is known. */
export function wrongType(wanted: ValueType, type: ValueType): string {
  return `must be ${typeNames[wanted]}, not ${typeNames[type]}`
}

/** Returns the whole sentence about a field of another type; a path of more than 300 characters is cut. */
export function fieldOfWrongType(path: string, wanted: ValueType, type: ValueType): string {
  return `${path.slice(0, maxPath)} ${wrongType(wanted, type)}`.trimStart()
}

/**
 * Returns the error for a field that does not exist: `unknown field spec.sorce; did you mean source?` where a known name
 * is at most two letters away, else `unknown field spec.x; expected one of a, b`.
 */
export function unknownField(path: string, field: string, known: readonly string[]): string {
  const nearest = nearestName(field, known)
  const advice = nearest === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${nearest}?`
  return `unknown field ${path.slice(0, maxPath)}; ${advice}`
}
