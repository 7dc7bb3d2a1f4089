import { fitsInt64, formatGoFloat, parseDecimalInteger } from '@wadi/manifests/go-number.ts'
import { Float } from '../values/value.ts'
import type { Value } from '../values/value.ts'

const words = new Map<string, null | boolean>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, null] => [word, null]),
  ...['true', 'True', 'TRUE'].map((word): [string, boolean] => [word, true]),
  ...['false', 'False', 'FALSE'].map((word): [string, boolean] => [word, false]),
])

const bases = [
  { prefix: '0x', digits: /^[0-9a-fA-F]+$/ },
  { prefix: '0o', digits: /^[0-7]+$/ },
  { prefix: '0b', digits: /^[01]+$/ },
]

const float = /^(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/
const maxDigits = 400

/**
 * Returns what Zarf's YAML library (goccy) reads in a plain scalar. `yes`, `on` and numbers with an exponent and no point
 * are text; integers of 64 bits may be written in bases 2, 8 (`0o17` and `017`), 10 and 16, with underscores anywhere but
 * in front; a number with a point is a float.
 */
export function readZarfScalar(text: string): Value {
  const word = words.get(text)
  if (word !== undefined) return word
  if (!/^[-+]?[.0-9]/.test(text) || text.length > maxDigits) return text
  const isNegative = text.startsWith('-')
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '')
  if (digits.includes('.')) {
    const value = float.test(digits) ? Number(digits) : Infinity
    return Number.isFinite(value) ? new Float(isNegative ? -value : value) : text
  }
  const magnitude = magnitudeOf(digits)
  if (magnitude === undefined) return text
  const value = isNegative ? -magnitude : magnitude
  if (isNegative && !fitsInt64(value)) return text
  return parseDecimalInteger(String(value)) ?? text
}

function magnitudeOf(digits: string): bigint | undefined {
  for (const base of bases) {
    if (!digits.startsWith(base.prefix)) continue
    return base.digits.test(digits.slice(2)) ? BigInt(digits) : undefined
  }
  if (/^0[0-9]/.test(digits)) return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : undefined
  return /^[0-9]+$/.test(digits) ? BigInt(digits) : undefined
}

/** Returns the key that a scalar stands for, printed as Go prints it; undefined for a map or list. */
export function keyText(value: Value): string | undefined {
  if (value instanceof Float) return formatGoFloat(value.value)
  return typeof value === 'object' && value !== null ? undefined : String(value)
}
