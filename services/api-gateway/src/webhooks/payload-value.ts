import { isJsonObject } from '@wadi/fields/json-object.ts'

/** What a payload has at a path of fields; undefined where there is nothing. */
export function at(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>(
    (part, name) => (isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  )
}
