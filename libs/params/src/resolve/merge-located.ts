import type { OwnMap } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Located } from '../values/value.ts'
import { partOf } from '../values/located.ts'

/** Returns what two trees are together: maps are merged, of everything else the upper one takes precedence. */
export function mergeLocated(lower: Located, upper: Located): Located {
  if (!isValueMap(lower.value) || !isValueMap(upper.value)) return upper
  const value: OwnMap = new Map()
  const parts = new Map<string, Located>()
  const add = (key: string, part: Located): void => {
    value.set(key, part.value)
    parts.set(key, part)
  }
  for (const key of lower.value.keys()) {
    const [below, above] = [partOf(lower, key), partOf(upper, key)]
    if (below !== undefined) add(key, above === undefined ? below : mergeLocated(below, above))
  }
  for (const key of upper.value.keys()) {
    const part = parts.has(key) ? undefined : partOf(upper, key)
    if (part !== undefined) add(key, part)
  }
  return { ...upper, value, parts }
}
