import type { Parameter, ParameterLimits } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { t } from '../../../language/t.ts'

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
  const text = String(value)
  if (wholeNumber && !Number.isInteger(value)) return t('{value} is not a whole number', { value: text })
  if (minimum !== undefined && value < minimum)
    return t('{value} is less than {limit}', { value: text, limit: String(minimum) })
  if (maximum !== undefined && value > maximum)
    return t('{value} is more than {limit}', { value: text, limit: String(maximum) })
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return t('{value} is not more than {limit}', { value: text, limit: String(exclusiveMinimum) })
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return t('{value} is not less than {limit}', { value: text, limit: String(exclusiveMaximum) })
  const parts = value / multipleOf
  if (multipleOf > 0 && Math.abs(parts - Math.round(parts)) > 1e-9 * Math.max(1, Math.abs(parts)))
    return t('{value} is not a multiple of {factor}', { value: text, factor: String(multipleOf) })
  return undefined
}

function errorOfLength({ minLength, maxLength }: ParameterLimits, length: number): string | undefined {
  if (length < minLength)
    return t(
      '{count, plural, one {At least # character is required} other {At least # characters are required}}',
      {
        count: minLength,
      },
    )
  if (maxLength !== undefined && length > maxLength)
    return t(
      '{count, plural, one {# character is more than {limit}} other {# characters are more than {limit}}}',
      { count: length, limit: String(maxLength) },
    )
  return undefined
}

/** Says the limits of a parameter before anything is typed; empty for none. */
export function limitsText({ limits, suggestion }: Pick<Parameter, 'limits' | 'suggestion'>): string {
  const texts = limits === undefined ? [] : [...numberTexts(limits), ...textTexts(limits)]
  if (suggestion !== '') texts.push(t('the schema suggests {value}', { value: suggestion }))
  const text = texts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function numberTexts(limits: ParameterLimits): string[] {
  const { wholeNumber, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  return [
    ...(wholeNumber ? [t('a whole number')] : []),
    ...(minimum !== undefined && maximum !== undefined
      ? [t('from {minimum} to {maximum}', { minimum: String(minimum), maximum: String(maximum) })]
      : []),
    ...(minimum !== undefined && maximum === undefined
      ? [t('{value} or more', { value: String(minimum) })]
      : []),
    ...(minimum === undefined && maximum !== undefined
      ? [t('{value} or less', { value: String(maximum) })]
      : []),
    ...(exclusiveMinimum === undefined ? [] : [t('more than {value}', { value: String(exclusiveMinimum) })]),
    ...(exclusiveMaximum === undefined ? [] : [t('less than {value}', { value: String(exclusiveMaximum) })]),
    ...(multipleOf > 0 ? [t('a multiple of {factor}', { factor: String(multipleOf) })] : []),
  ]
}

function textTexts({ minLength, maxLength, pattern, format }: ParameterLimits): string[] {
  return [
    ...(minLength > 0
      ? [t('{count, plural, one {at least # character} other {at least # characters}}', { count: minLength })]
      : []),
    ...(maxLength === undefined
      ? []
      : [t('{count, plural, one {at most # character} other {at most # characters}}', { count: maxLength })]),
    ...(format === '' ? [] : [t('of the format {format}', { format })]),
    ...(pattern === '' ? [] : [t('matches {pattern}', { pattern })]),
  ]
}
