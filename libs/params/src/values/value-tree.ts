import { Float, isValueMap } from './value.ts'
import type { Value, ValueMap } from './value.ts'

/** A map that its maker has not handed out yet. */
export type OwnMap = Map<string, Value>

/** True if a value is a list. */
export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value)
}

/** Returns a copy of the value which shares no map and no list with it. */
export function copyValue(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (isValueMap(value)) return copyMap(value)
  return isList(value) ? value.map(copyValue) : value
}

/** Returns a copy of a map, to which more may be added. */
export function copyMap(map: ValueMap): OwnMap {
  const copy: OwnMap = new Map()
  for (const [key, value] of map) copy.set(key, copyValue(value))
  return copy
}

/**
 * Merges copies of a map's values into a map of one's own: maps into maps, everything else replaces what was there. All
 * maps inside of the target must be its own too.
 */
export function mergeInto(target: OwnMap, source: ValueMap): void {
  for (const [key, value] of source) {
    const present = isValueMap(value) ? target.get(key) : undefined
    if (isValueMap(value) && isValueMap(present)) mergeInto(present as OwnMap, value)
    else target.set(key, copyValue(value))
  }
}

/** Returns the type of a value as Zarf names it in messages. */
export function typeName(value: Value): string {
  if (value === null) return '<nil>'
  if (isValueMap(value)) return 'map[string]interface {}'
  if (isList(value)) return '[]interface {}'
  if (value instanceof Float) return 'float64'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : value < 0 ? 'int64' : 'uint64'
}
