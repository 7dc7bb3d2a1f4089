import type { Location } from '@wadi/errors/location.ts'
import type { Path } from './path.ts'
import { isList } from './value-tree.ts'
import { isValueMap } from './value.ts'
import type { Located, Value } from './value.ts'

/** Returns the part of a value at a path through maps and lists (positions as text); undefined when there is none. */
export function partAt(located: Located, path: Path): Located | undefined {
  const { part, depth } = nearestPart(located, path)
  return depth === path.length ? part : undefined
}

/** Returns where the value at a path is written, or where its nearest parent is. */
export function locationAt(located: Located, path: Path): Location {
  return nearestPart(located, path).part.at
}

/** The part at a path, or the one where the path leaves the value. */
export interface NearestPart {
  part: Located
  /** The number of the path's keys that lead to the part. */
  depth: number
  /** True if the path leads on through a list, at or above the part. */
  isInList: boolean
}

/** Follows a path as far as it goes. */
export function nearestPart(located: Located, path: Path): NearestPart {
  let part = located
  let isInList = false
  for (const [depth, key] of path.entries()) {
    isInList ||= Array.isArray(part.value)
    const next = partOf(part, key)
    if (next === undefined) return { part, depth, isInList }
    part = next
  }
  return { part, depth: path.length, isInList }
}

/** Returns the part below a key or position. */
export function partOf(located: Located, key: string): Located | undefined {
  if (located.parts !== undefined) return located.parts.get(key)
  const value = memberOf(located.value, key)
  return value === undefined ? undefined : { ...located, value }
}

function memberOf(value: Value, key: string): Value | undefined {
  if (isValueMap(value)) return value.get(key)
  return isList(value) && /^(?:0|[1-9][0-9]{0,8})$/.test(key) ? value[Number(key)] : undefined
}

/** Returns a map that has these parts. */
export function locatedMap(parts: ReadonlyMap<string, Located>, at: Location): Located {
  return { value: new Map(Array.from(parts, ([key, part]) => [key, part.value])), at, parts }
}

/** Returns a value all parts of which are written at one place. */
export function locatedAt(value: Value, at: Location): Located {
  return { value, at }
}
