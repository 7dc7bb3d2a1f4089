import type { Parameter, ParameterLimits } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { counted } from '../../../words/counted.ts'

/**
 * Returns the error of a text that is beyond the limits of its parameter; undefined if there is none. Patterns are left to the server, which
 * can bound the work that somebody else's regular expression makes.
 */
export function errorOfLimits(
  { type, limits }: Pick<Parameter, 'type' | 'limits'>,
  text: string,
): string | undefined {
  if (limits === undefined) return undefined
  return type === 'number'
    ? errorOfNumber(limits, Number(text))
    : errorOfLength(limits, Array.from(text).length)
}

function errorOfNumber(limits: ParameterLimits, value: number): string | undefined {
  const { wholeNumber, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  if (wholeNumber && !Number.isInteger(value)) return `${value} is not a whole number`
  if (minimum !== undefined && value < minimum) return `${value} is less than ${minimum}`
  if (maximum !== undefined && value > maximum) return `${value} is more than ${maximum}`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `${value} is not more than ${exclusiveMinimum}`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return `${value} is not less than ${exclusiveMaximum}`
  const parts = value / multipleOf
  if (multipleOf > 0 && Math.abs(parts - Math.round(parts)) > 1e-9 * Math.max(1, Math.abs(parts)))
    return `${value} is not a multiple of ${multipleOf}`
  return undefined
}

function errorOfLength({ minLength, maxLength }: ParameterLimits, length: number): string | undefined {
  if (length < minLength) return `At least ${counted(minLength, 'character')} are required`
  if (maxLength !== undefined && length > maxLength)
    return `${counted(length, 'character')} are more than ${maxLength}`
  return undefined
}

/** Says the limits of a parameter before anything is typed; empty for none. */
export function limitsText({ limits, suggestion }: Pick<Parameter, 'limits' | 'suggestion'>): string {
  const texts = limits === undefined ? [] : [...numberTexts(limits), ...textTexts(limits)]
  if (suggestion !== '') texts.push(`the schema suggests ${suggestion}`)
  const text = texts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function numberTexts(limits: ParameterLimits): string[] {
  const { wholeNumber, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  return [
    ...(wholeNumber ? ['a whole number'] : []),
    ...(minimum !== undefined && maximum !== undefined ? [`from ${minimum} to ${maximum}`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`${minimum} or more`] : []),
    ...(minimum === undefined && maximum !== undefined ? [`${maximum} or less`] : []),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...(exclusiveMaximum === undefined ? [] : [`less than ${exclusiveMaximum}`]),
    ...(multipleOf > 0 ? [`a multiple of ${multipleOf}`] : []),
  ]
}

function textTexts({ minLength, maxLength, pattern, format }: ParameterLimits): string[] {
  return [
    ...(minLength > 0 ? [`at least ${counted(minLength, 'character')}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${counted(maxLength, 'character')}`]),
    ...(format === '' ? [] : [`of the format ${format}`]),
    ...(pattern === '' ? [] : [`matches ${pattern}`]),
  ]
}
