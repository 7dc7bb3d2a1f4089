import { isNotFinite } from '@wadi/manifests/go-scalar.ts'
import { composeKey, composeScalar, composeTagged, notFinite } from '@wadi/manifests/yaml-scalar.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
import { SCALAR_STYLE, getScalarValue } from 'js-yaml'
import type { DocumentDirective, ScalarEvent } from 'js-yaml'
import { Float } from '../values/value.ts'
import type { Value } from '../values/value.ts'
import type { YamlRules } from './yaml-options.ts'
import { keyText, readZarfScalar } from './zarf-scalar.ts'

/** Returns the value of a scalar. @throws InvalidInputError with the place for one that values cannot hold */
export function readScalar(
  source: YamlSource,
  event: ScalarEvent,
  directives: readonly DocumentDirective[],
  rules: YamlRules,
): Value {
  if (rules === 'kubernetes') {
    const value = composeScalar(source, event, directives)
    return typeof value === 'number' && !Number.isInteger(value) ? new Float(value) : value
  }
  if (event.tagStart >= 0) return composeTagged(source, event, directives, { conversions, plain: readPlain })
  const text = getScalarValue(source.text, event)
  return event.style === SCALAR_STYLE.PLAIN ? readPlain(source, event, text) : text
}

/** Returns the key that a scalar stands for. @throws InvalidInputError with the place for one that cannot be a key */
export function readKey(
  source: YamlSource,
  event: ScalarEvent,
  directives: readonly DocumentDirective[],
  rules: YamlRules,
): string {
  if (rules === 'kubernetes') return composeKey(source, event, directives)
  return keyText(readScalar(source, event, directives, rules)) ?? ''
}

function readPlain(source: YamlSource, event: ScalarEvent, text: string): Value {
  if (/^[+-]?\.inf$/i.test(text)) {
    return new Float(text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
  }
  if (isNotFinite(text)) throw notFinite(source, event, text)
  return readZarfScalar(text)
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
