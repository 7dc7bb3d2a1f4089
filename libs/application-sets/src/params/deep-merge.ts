import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ParameterValues } from './parameter-set.ts'
import { isTextMap, textMap } from './text-map.ts'

/**
 * Two maps as one, down through maps that both have; elsewhere the value of `winner` applies, even if it is empty, and lists are
 * taken whole. Two maps of texts make one. Neither argument is changed.
 */
export function deepMerge(
  winner: Readonly<ParameterValues>,
  base: Readonly<ParameterValues>,
): ParameterValues {
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(winner)) {
    const other = merged.get(key)
    merged.set(key, isJsonObject(value) && isJsonObject(other) ? deepMerge(value, other) : value)
  }
  const map = Object.fromEntries(merged)
  return isTextMap(winner) && isTextMap(base) ? textMap(map) : map
}
