import { mayGoOn, type ObjectCheck, report } from '../object-check.ts'
import { formatCheck } from './string-formats.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** The work of a regular expression on a character, in steps, for each character of the expression. */
const patternSteps = 0.1

/** The minor version from which on the API server looks at the range of `int32` and `int64`. */
const integerFormatsSince = 36

const integerFormats = new Map([
  ['int32', { least: -(2n ** 31n), greatest: 2n ** 31n - 1n }],
  ['int64', { least: -(2n ** 63n), greatest: 2n ** 63n - 1n }],
])

/** Checks the length, the pattern and the format of a string; of several that it breaks, the API server names the first. */
export function checkString(
  text: string,
  { format, limits, pattern }: StructuralSchema,
  minorVersion: number,
  check: ObjectCheck,
): void {
  const { minLength = 0, maxLength = Infinity } = limits
  if (text.length > maxLength && characters(text) > maxLength) {
    report(check, 'value', `must have at most ${maxLength} characters`)
  } else if (text.length < minLength * 2 && characters(text) < minLength) {
    report(check, 'value', `must have at least ${minLength} characters`)
  } else if (pattern !== undefined && mayGoOn(check, text.length * pattern.text.length * patternSteps)) {
    if (pattern.matcher()?.(text) === false) {
      report(check, 'value', `must match the regular expression ${pattern.text.slice(0, 300)}`)
    }
  }
  const isValid = formatCheck(format, minorVersion)
  if (isValid !== undefined && !isValid(text)) report(check, 'value', `must have the format ${format}`)
}

function characters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
}

/** Checks the bounds of a number. */
export function checkNumber(
  value: number | bigint,
  { types, format, limits, isAbove, isBelow }: StructuralSchema,
  minorVersion: number,
  check: ObjectCheck,
): void {
  const { minimum, maximum, multipleOf } = limits
  if (minimum !== undefined && (isAbove ? value <= minimum : value < minimum)) {
    report(check, 'value', `must be ${isAbove ? 'greater than' : 'at least'} ${minimum}`)
  }
  if (maximum !== undefined && (isBelow ? value >= maximum : value > maximum)) {
    report(check, 'value', `must be ${isBelow ? 'less than' : 'at most'} ${maximum}`)
  }
  if (multipleOf !== undefined && !Number.isInteger(Number(value) / multipleOf)) {
    report(check, 'value', `must be a multiple of ${multipleOf}`)
  }
  const range = integerFormats.get(format)
  if (range === undefined || types[0] !== 'integer' || minorVersion < integerFormatsSince) return
  if (value < range.least || value > range.greatest) {
    report(check, 'value', `must be an integer of ${format.slice(3)} bits`)
  }
}
