import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from './manifest.ts'
import type { NodeBuilder } from './node-builder.ts'
import { composeKey, composeScalar } from './yaml-scalar.ts'
import type { YamlSource } from './yaml-source.ts'

interface PlainObject {
  [key: string]: JsonValue
}

/** Builds values as Kubernetes reads them, each a tree of its own: aliases are copies. */
export function plainNodes(source: YamlSource): NodeBuilder<JsonValue, PlainObject> {
  return {
    scalar: (event) => composeScalar(source, event),
    nothing: () => null,
    list: (items) => items,
    start: () => ({}),
    has: (entries, key) => Object.hasOwn(entries, key),
    put: setOwn,
    finish: (entries) => entries,
    key: (event) => composeKey(source, event),
    items: (node) => (Array.isArray(node) ? node : undefined),
    members: (node) => (isJsonObject(node) ? Object.entries(node) : undefined),
    repeat: copyOf,
  }
}

/** Sets a key of any name; an assignment to `__proto__` would set no key. */
export function setOwn(object: PlainObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else object[key] = value
}

function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isJsonObject(value)) return value
  const copy: PlainObject = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copyOf(value[key] ?? null))
  return copy
}
