import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { integralAsInteger, parseDecimalInteger } from './go-number.ts'
import { parseJsonNumbers } from './json-numbers.ts'
import type { JsonValue, Manifest } from './manifest.ts'

/** Returns the object as compact JSON in which every integer has all its digits. */
export function manifestToJson(manifest: Manifest): string {
  return holdsBigInt(manifest) ? writeExactly(manifest) : JSON.stringify(manifest)
}

function holdsBigInt(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsBigInt)
  for (const key in value) if (holdsBigInt(value[key] ?? null)) return true
  return false
}

/** JSON.stringify refuses bigint. */
function writeExactly(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(writeExactly).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${writeExactly(item)}`).join(',')}}`
}

// A number that JSON.parse may round or leave as a float that Kubernetes holds as an integer. It may also match inside
// a string, which costs time and nothing else.
const inexactNumber = /(?:^|[[:,\s])-?\d(?:\d{15}|[\d.]*[eE])/

/**
 * Returns the object that the JSON text holds. Integers beyond 2^53 that fit 64 bits become bigint, and integral floats
 * that fit int64 become integers, as they do on Argo CD's way to the commit server.
 *
 * @throws InvalidInputError when the text is not a JSON object or a number is out of the range of a double.
 */
export function manifestFromJson(text: string): Manifest {
  const value = parseJson(text)
  if (isJsonObject(value)) return value
  throw new InvalidInputError('a manifest must be a JSON object')
}

/** Returns the value that the JSON text holds, with the numbers of `manifestFromJson`. @throws InvalidInputError when it is not JSON */
export function parseJson(text: string): JsonValue {
  try {
    const value = inexactNumber.test(text) ? parseJsonNumbers(text, exactNumber) : JSON.parse(text)
    return value as JsonValue
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof InvalidInputError)) throw error
    throw new InvalidInputError(`a manifest must be valid JSON: ${errorMessage(error)}`, { cause: error })
  }
}

function exactNumber(text: string): JsonValue {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  if (!Number.isFinite(value)) throw new InvalidInputError(`the number ${text} does not fit a double`)
  return (/^-?\d+$/.test(text) ? parseDecimalInteger(text) : undefined) ?? integralAsInteger(value)
}
