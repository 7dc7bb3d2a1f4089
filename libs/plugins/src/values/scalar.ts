import { ExactNumber } from '../exact-number.ts'
import { type Reading, isAbsent, rejection, warn, wrongTypeOf } from '../reading.ts'

/** A text, number or boolean as it was written. */
export interface Scalar {
  readonly type: 'string' | 'number' | 'boolean'
  /** A number in decimal digits. */
  readonly text: string
  /** A number exactly as it was written, `0x1F` for example. */
  readonly written: string
}

/**
 * Reads a scalar.
 *
 * @throws InvalidInputError for anything else and for a text that holds a NUL, which no command can be given.
 */
export function readScalar(reading: Reading, value: unknown): Scalar {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      throw rejection(reading, 'holds a NUL character, which no variable can; remove it')
    return { type: 'string', text: value, written: value }
  }
  if (value instanceof ExactNumber) return { type: 'number', text: value.decimal, written: value.text }
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    const text = String(value)
    return { type: typeof value === 'boolean' ? 'boolean' : 'number', text, written: text }
  }
  throw wrongTypeOf(reading, 'string', value)
}

/** Reads a text for which Argo CD takes nothing else: a number or a boolean is its text, with a warning; null is empty. */
export function readText(reading: Reading, value: unknown): string {
  if (isAbsent(value)) return ''
  const { type, written } = readScalar(reading, value)
  if (type !== 'string') warnOfScalar(reading, type, written)
  return written
}

/** Says that a scalar is not the text that Argo CD wants. */
export function warnOfScalar(reading: Reading, type: string, written: string): void {
  warn(reading, `is a ${type} where Argo CD accepts only a string; quote it: ${JSON.stringify(written)}`)
}

/**
 * Reads a truth value; null is false, and the texts `true` and `false` are taken with a warning.
 *
 * @throws InvalidInputError for anything else.
 */
export function readFlag(reading: Reading, value: unknown): boolean {
  if (isAbsent(value) || typeof value === 'boolean') return value ?? false
  if (value !== 'true' && value !== 'false') {
    throw wrongTypeOf(reading, 'boolean', value)
  }
  warn(reading, `is a string where Argo CD accepts only true or false; remove the quotes`)
  return value === 'true'
}
