import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { setOwn } from '@wadi/manifests/plain-nodes.ts'
import { isList } from './value-tree.ts'
import { Float, isValueMap } from './value.ts'
import type { Value } from './value.ts'

/** Returns the value as plain data, as manifests and schemas hold it. A {@link Float} becomes a number. */
export function toJson(value: Value): JsonValue {
  if (value instanceof Float) return value.value
  if (isList(value)) return value.map(toJson)
  if (!isValueMap(value)) return value
  const mapping: { [key: string]: JsonValue } = {}
  for (const [key, member] of value) setOwn(mapping, key, toJson(member))
  return mapping
}

/** Returns plain data as a value. A number with a fraction becomes a Float, every other one stays an integer. */
export function fromJson(json: JsonValue): Value {
  if (Array.isArray(json)) return json.map(fromJson)
  if (isJsonObject(json)) return new Map(Object.entries(json).map(([key, member]) => [key, fromJson(member)]))
  return typeof json === 'number' && !Number.isInteger(json) ? new Float(json) : json
}

/**
 * Returns the value as compact JSON. Integers have all their digits, and a Float always has a point or an exponent, so
 * that a reader does not take it for an integer.
 */
export function jsonText(value: Value): string {
  if (value instanceof Float) return floatText(value.value)
  if (typeof value === 'bigint') return String(value)
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isValueMap(value)) return JSON.stringify(value)
  const entries = Array.from(value, ([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
  return `{${entries.join(',')}}`
}

function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : JSON.stringify(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
