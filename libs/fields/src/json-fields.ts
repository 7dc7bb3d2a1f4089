import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isJsonObject } from './json-object.ts'

/** The value at a path of keys, or undefined when some part is missing. */
export function valueAt(object: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined
export function valueAt(object: unknown, ...path: readonly string[]): unknown
export function valueAt(object: unknown, ...path: readonly string[]): unknown {
  let value = object
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** The text at a path of keys; empty when there is none. */
export function textAt(object: unknown, ...path: readonly string[]): string {
  const value = valueAt(object, ...path)
  return typeof value === 'string' ? value : ''
}

/** The object at a path of keys; empty when there is none. */
export function objectAt(object: JsonValue | undefined, ...path: readonly string[]): JsonObject
export function objectAt(object: unknown, ...path: readonly string[]): Record<string, unknown>
export function objectAt(object: unknown, ...path: readonly string[]): Record<string, unknown> {
  const value = valueAt(object, ...path)
  return isJsonObject(value) ? value : {}
}

/** The list at a path of keys; empty when there is none. */
export function listAt(object: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[]
export function listAt(object: unknown, ...path: readonly string[]): readonly unknown[]
export function listAt(object: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(object, ...path)
  return Array.isArray(value) ? value : []
}
