import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isNotFinite, resolvePlainScalar } from '@wadi/manifests/go-scalar.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
import { coreTagName } from '@wadi/manifests/yaml-tag.ts'
import { SCALAR_STYLE, getScalarValue } from 'js-yaml'
import type { DocumentDirective, ScalarEvent } from 'js-yaml'
import { formatLocation } from '../values/located.ts'
import type { YamlRules } from './yaml-options.ts'
import { readZarfScalar } from './zarf-scalar.ts'
import { Float } from '../values/value.ts'
import type { Location, Value } from '../values/value.ts'

/** Returns the value of a scalar that is written at a place, for messages. Throws InvalidInputError with that place. */
export function readScalar(
  source: YamlSource,
  event: ScalarEvent,
  directives: readonly DocumentDirective[],
  rules: YamlRules,
  at: Location,
): Value {
  const text = getScalarValue(source.text, event)
  if (event.tagStart < 0) return event.style === SCALAR_STYLE.PLAIN ? readPlain(text, rules, at) : text
  const rawTag = source.text.slice(event.tagStart, event.tagEnd)
  const tag = coreTagName(rawTag, directives)
  if (tag === 'binary') return decodeBinary(text, at)
  const convert = tag === undefined ? undefined : conversions.get(tag)
  if (convert === undefined) return text
  const value = convert(readPlain(text, rules, at))
  if (value !== undefined) return value
  throw new InvalidInputError(`${formatLocation(at)}: cannot read ${JSON.stringify(text)} as ${rawTag}`)
}

function readPlain(text: string, rules: YamlRules, at: Location): Value {
  if (rules === 'values' && /^[+-]?\.inf$/i.test(text)) {
    return new Float(text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
  }
  if (isNotFinite(text)) {
    const message = `${text} is a number that JSON cannot hold; quote it if it is text`
    throw new InvalidInputError(`${formatLocation(at)}: ${message}`)
  }
  if (rules === 'values') return readZarfScalar(text)
  const value = resolvePlainScalar(text)
  return typeof value === 'number' && !Number.isInteger(value) ? new Float(value) : value
}

const conversions = new Map<string, (value: Value) => Value | undefined>([
  ['null', (value) => (value === null ? null : undefined)],
  ['bool', (value) => (typeof value === 'boolean' ? value : undefined)],
  ['int', (value) => (Number.isInteger(value) || typeof value === 'bigint' ? value : undefined)],
  ['float', toFloat],
])

function toFloat(value: Value): Float | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return new Float(Number(value))
  return value instanceof Float ? value : undefined
}

function decodeBinary(text: string, at: Location): string {
  const encoded = text.replaceAll(/[\r\n]/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) {
    return Buffer.from(encoded, 'base64').toString('utf8')
  }
  throw new InvalidInputError(`${formatLocation(at)}: the value of !!binary is not valid base64`)
}
