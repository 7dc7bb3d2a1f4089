import { isJsonObject } from '@wadi/fields/json-object.ts'
import { goText } from './go-text.ts'
import type { ParameterValues } from './parameter-set.ts'

/** Nested maps and lists as flat texts: `a.b` for a key of a map, `a.0` for an item of a list; empty ones vanish. */
export function flatParameters(values: Readonly<ParameterValues>): Map<string, string> {
  const flat = new Map<string, string>()
  const add = (value: unknown, key: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) add(item, `${key}.${index}`)
    else if (isJsonObject(value))
      for (const [name, item] of Object.entries(value)) add(item, `${key}.${name}`)
    else flat.set(key, goText(value))
  }
  for (const [key, value] of Object.entries(values)) add(value, key)
  return flat
}
