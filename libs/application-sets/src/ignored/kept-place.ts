import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** A comparison of what stands at a path with a scalar, as in `.name == "x"`. */
export interface Condition {
  path: readonly PlaceStep[]
  isEqual: boolean
  value: string | number | boolean | null
}

/** One step on the way into a JSON value. */
export type PlaceStep =
  /** A key of a map. */
  | { kind: 'key'; key: string }
  /** An item of a list, from its end when negative. */
  | { kind: 'index'; index: number }
  /** A part of a JSON pointer: a key of a map or the position in a list. */
  | { kind: 'token'; token: string }
  /** Every item of a list, every value of a map. */
  | { kind: 'each' }
  /** Goes on where every condition holds. */
  | { kind: 'select'; conditions: readonly Condition[] }

/** The path of values in a JSON value; it has at least one step. */
export type Place = readonly PlaceStep[]

/**
 * Reads a JSON pointer (RFC 6901), for example `/spec/source/helm/parameters/0/value`.
 * @throws InvalidInputError
 */
export function readJsonPointer(pointer: string): Place {
  requireLength(pointer)
  if (!pointer.startsWith('/')) {
    throw new InvalidInputError(`${JSON.stringify(pointer)} is not a JSON pointer: it must begin with /`)
  }
  if (/~(?![01])/.test(pointer)) {
    throw new InvalidInputError(
      `${JSON.stringify(pointer)} is not a JSON pointer: write ~0 for ~ and ~1 for /`,
    )
  }
  const tokens = pointer.slice(1).split('/')
  return tokens.map((token) => ({
    kind: 'token',
    token: token.replaceAll('~1', '/').replaceAll('~0', '~'),
  }))
}

const maxLength = 1_000

/**
 * Makes sure that a text may name a place.
 * @throws InvalidInputError above 1,000 characters
 */
export function requireLength(text: string): void {
  if (text.length > maxLength) {
    throw new InvalidInputError(`${JSON.stringify(text.slice(0, 50))}… has more than ${maxLength} characters`)
  }
}
