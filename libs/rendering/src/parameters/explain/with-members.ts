import { locatedMap, partOf } from '@wadi/params/values/located.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'

/** A map with other members; undefined leaves one out. */
export function withMembers(
  tree: Located,
  change: (key: string, part: Located) => Located | undefined,
): Located {
  const parts = new Map<string, Located>()
  for (const key of isValueMap(tree.value) ? tree.value.keys() : []) {
    const part = partOf(tree, key)
    const changed = part && change(key, part)
    if (changed !== undefined) parts.set(key, changed)
  }
  return { ...tree, ...locatedMap(parts, tree.at) }
}
