import { nearestPart } from '../values/located.ts'
import type { NearestPart } from '../values/located.ts'
import type { Path } from '../values/path.ts'
import type { MergeMode } from './layer.ts'
import { isValueMap } from '../values/value.ts'
import type { Located } from '../values/value.ts'

/** The value of one tree at a path, or the value above that hides the path. */
export interface Contribution {
  /** Which tree it is. */
  index: number
  located: Located
  /** The place in the tree: the path, or its beginning. */
  path: Path
}

/** The contribution that decides a value, and those that it replaced or hid, the strongest first. */
export interface Decision {
  winner: Contribution
  overridden: readonly Contribution[]
}

/**
 * Returns which of several trees, the weakest first, decides the value at a path; undefined when the merged tree has no
 * value there.
 */
export function decide(trees: readonly Located[], path: Path, mode: MergeMode): Decision | undefined {
  const overridden: Contribution[] = []
  let winner: Contribution | undefined
  let isHidden = false
  for (let index = trees.length - 1; index >= 0; index--) {
    const tree = trees[index]
    if (tree === undefined) continue
    const near = nearestPart(tree, path)
    if (leavesToOthers(near, path, mode)) continue
    const contribution = { index, located: near.part, path: path.slice(0, near.depth) }
    const isThere = near.depth === path.length
    if (winner === undefined) {
      if (!isThere) return undefined
      winner = contribution
    } else if (isHidden || !isThere || !isValueMap(near.part.value)) overridden.push(contribution)
    isHidden ||= hidesWeaker(near, path, mode)
  }
  return winner === undefined ? undefined : { winner, overridden }
}

/** A map without the key has no say, unless nothing is merged with it: below a list, or below a key taken whole. */
function leavesToOthers({ part, depth, isInList }: NearestPart, path: Path, mode: MergeMode): boolean {
  if (depth === path.length || !isValueMap(part.value) || isInList) return false
  return mode === 'deep' || depth === 0
}

function hidesWeaker({ part, isInList }: NearestPart, path: Path, mode: MergeMode): boolean {
  return !isValueMap(part.value) || isInList || (mode === 'replace' && path.length > 0)
}
