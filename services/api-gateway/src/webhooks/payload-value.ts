import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Returns the value at a path of fields in a payload; undefined if there is none. */
export function at(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>(
    (part, name) => (isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  )
}
