import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

/** Whether a value is a JSON object, neither list nor scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path of keys, or undefined when some part is missing. */
export function valueAt(object: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let value = object
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** The text at a path of keys; empty when there is none. */
export function textAt(object: JsonValue | undefined, ...path: readonly string[]): string {
  const value = valueAt(object, ...path)
  return typeof value === 'string' ? value : ''
}

/** The object at a path of keys; empty when there is none. */
export function objectAt(object: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const value = valueAt(object, ...path)
  return isJsonObject(value) ? value : {}
}

/** The list at a path of keys; empty when there is none. */
export function listAt(object: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[] {
  const value = valueAt(object, ...path)
  return Array.isArray(value) ? value : []
}
