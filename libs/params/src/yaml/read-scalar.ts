import type { ScalarEvent } from '@wadi/manifests/go-yaml/yaml-event.ts'
import { isNotFinite } from '@wadi/manifests/go-scalar.ts'
import {
  type TagConversions,
  composeKey,
  composeScalar,
  composeTagged,
  notFinite,
} from '@wadi/manifests/yaml-scalar.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
import { Float } from '../values/value.ts'
import type { Value } from '../values/value.ts'
import type { YamlRules } from './yaml-options.ts'
import { keyText, readZarfScalar } from './zarf-scalar.ts'

/** Returns the value of a scalar. @throws InvalidInputError with the place for one that values cannot hold */
export function readScalar(source: YamlSource, event: ScalarEvent, rules: YamlRules): Value {
  if (rules === 'kubernetes') {
    const value = composeScalar(source, event)
    return typeof value === 'number' && !Number.isInteger(value) ? new Float(value) : value
  }
  if (event.tag !== undefined) return composeTagged(source, event, conversions)
  return event.style === 'plain' ? readPlain(source, event) : event.value
}

/** Returns the key that a scalar stands for. @throws InvalidInputError with the place for one that cannot be a key */
export function readKey(source: YamlSource, event: ScalarEvent, rules: YamlRules): string {
  if (rules === 'kubernetes') return composeKey(source, event)
  return keyText(readScalar(source, event, rules)) ?? ''
}

function readPlain(source: YamlSource, event: ScalarEvent): Value {
  const text = event.value
  if (/^[+-]?\.inf$/i.test(text)) {
    return new Float(text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
  }
  if (isNotFinite(text)) throw notFinite(source, event, text)
  return readZarfScalar(text)
}

function where(convert: (value: Value) => Value | undefined) {
  return (source: YamlSource, event: ScalarEvent) => convert(readPlain(source, event))
}

const conversions: TagConversions<Value> = new Map([
  ['null', where((value) => (value === null ? null : undefined))],
  ['bool', where((value) => (typeof value === 'boolean' ? value : undefined))],
  ['int', where((value) => (Number.isInteger(value) || typeof value === 'bigint' ? value : undefined))],
  ['float', where(toFloat)],
])

function toFloat(value: Value): Float | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return new Float(Number(value))
  return value instanceof Float ? value : undefined
}
