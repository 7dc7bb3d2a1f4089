import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'

/** The keys that lead from the root of a tree to a value in it; none for the root. */
export type Path = readonly string[]

/** Zarf's own schema asks for the same. */
const mappingPath = /^(?:\.|(?:\.[a-zA-Z0-9_-]+)+)$/

/**
 * Reads a path of a mapping, `.` or `.a.b-c`: keys of letters, digits, `_` and `-`, each after a dot.
 *
 * @throws InvalidInputError with the path, for everything else: `a`, `.a.`, `.a..b`, `.m[0]`.
 * @throws ResourceExhaustedError with the path, when it has more than 200 keys.
 */
export function parsePath(text: string): Path {
  if (mappingPath.test(text)) return keysOf(text)
  throw new InvalidInputError(
    `invalid path ${quoted(text)}: write . for the root, or a dot and a key of letters, digits, _ and - for each level, as in .a.b-c`,
  )
}

/**
 * Reads a path of `setValues` or of a set of values, of which Zarf asks only that it begins with a dot; each further dot
 * begins a key, which may be empty and hold any other character.
 *
 * @throws InvalidInputError when the text is empty or has no dot in front.
 * @throws ResourceExhaustedError with the path, when it has more than 200 keys.
 */
export function parseKeyPath(text: string): Path {
  if (text.startsWith('.')) return keysOf(text)
  throw new InvalidInputError(`invalid path format: ${quoted(text)}: a path begins with a dot`)
}

/** The most keys of a path: values files are not nested deeper either. */
const maxKeys = 200

function keysOf(text: string): Path {
  const keys = text === '.' ? [] : text.slice(1).split('.')
  if (keys.length <= maxKeys) return keys
  throw new ResourceExhaustedError(
    `the path ${quoted(text)} has ${keys.length} keys, ${maxKeys} are allowed: shorten it`,
  )
}

const maxQuoteLength = 200

/** Returns the text as a quoted part of a message, which is short and has no line breaks. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text, maxQuoteLength))
}

/** Returns the path as text, `.` for the root. */
export function formatPath(path: Path): string {
  return `.${path.join('.')}`
}

/** True if a path is below another one. A path is not a descendant of itself. */
export function isDescendant(path: Path, ancestor: Path): boolean {
  return path.length > ancestor.length && ancestor.every((key, depth) => path[depth] === key)
}
