import type { ValuePath } from '@wadi/params/values/set-name.ts'
import type { SchemaPart } from './schema-parts.ts'
import type { ValueHints } from './value-hints.ts'
import { type ValueNode, isNull } from './value-node.ts'

/** Most values that only the schema lists, and how deep below a value of the chart. */
export const maxListed = 2000
const deepestListed = 3

/** A value that is listed: one without others below it. */
export interface ValueLeaf {
  readonly path: ValuePath
  readonly default: ValueNode | undefined
  readonly value: ValueNode | undefined
  /** True if the chart or its schema has the value, or an open object around it. */
  readonly isKnown: boolean
}

/** An object or a list with values below it. */
export interface ValueBranch {
  readonly path: ValuePath
  readonly node: ValueNode | undefined
}

/**
 * Values without others below them, and what is around them: the chart's in its order, then those that only its schema has, those that are
 * only set after their neighbours.
 * @param most at most one more is returned
 */
export function valueLeaves(
  defaults: ValueNode,
  values: ValueNode,
  hints: Pick<ValueHints, 'keysBelow' | 'partsAt'>,
  most: number,
): { leaves: ValueLeaf[]; branches: ValueBranch[]; isCut: boolean } {
  const leaves: ValueLeaf[] = []
  const branches: ValueBranch[] = []
  let listed = 0
  /** The keys that the schema adds to what the chart has; none below what refers back to itself. */
  const schemaKeys = (path: ValuePath, normal: ValueNode | undefined, above: Above): readonly string[] => {
    const isObject = normal === undefined || normal.kind === 'map' || isNull(normal)
    if (!isObject || above.depth >= deepestListed || listed >= maxListed) return []
    const own = normal === undefined ? hints.partsAt(path) : []
    return own.some((part) => above.parts.has(part)) ? [] : hints.keysBelow(path)
  }
  const visit = (
    path: ValuePath,
    pair: Pick<ValueLeaf, 'default' | 'value'>,
    isOpen: boolean,
    above: Above,
  ): void => {
    const { default: normal, value } = pair
    // What is set in the place of a list is one value, objects in it included.
    const isMerged =
      normal?.kind === 'map' && value?.kind === 'map' && !path.some((step) => typeof step === 'number')
    const isOwn = isMerged || value === undefined
    const fromSchema = new Set(isOwn ? schemaKeys(path, normal, above) : [])
    const keys = new Set([
      ...(isOwn ? childrenOf(normal).keys() : []),
      ...fromSchema,
      ...childrenOf(value).keys(),
    ])
    const isRoot = path.length === 0
    if (keys.size === 0 && !isRoot) {
      const shown = normal !== undefined && isLeaf(normal) ? normal : undefined
      listed += normal === undefined && value === undefined ? 1 : 0
      leaves.push({ path, default: shown, value, isKnown: isOpen || normal !== undefined })
    } else if (!isRoot) branches.push({ path, node: normal })
    // The chart says nothing of what may stand in a list, a null or a map that it leaves empty.
    const isOpenBelow = isOpen || (normal !== undefined && !isRoot && isOpenNode(normal))
    const parts = new Set([...above.parts, ...(fromSchema.size > 0 ? hints.partsAt(path) : [])])
    for (const key of keys) {
      if (leaves.length > most) return
      if (listed >= maxListed && isOnlyListed(pair, key)) continue
      const below = { default: childrenOf(normal).get(key), value: childrenOf(value).get(key) }
      const isListed = fromSchema.has(String(key))
      const depth = below.default === undefined ? above.depth + 1 : 0
      visit([...path, key], below, isOpenBelow || isListed, { depth, parts })
    }
  }
  visit([], { default: defaults, value: values }, false, { depth: 0, parts: new Set() })
  return { leaves, branches, isCut: listed >= maxListed }
}

/** The way to a value that only the schema has. */
interface Above {
  /** The number of keys since the last one of the chart. */
  readonly depth: number
  readonly parts: ReadonlySet<SchemaPart>
}

function isOnlyListed(pair: Pick<ValueLeaf, 'default' | 'value'>, key: string | number): boolean {
  return !childrenOf(pair.default).has(key) && !childrenOf(pair.value).has(key)
}

function childrenOf(node: ValueNode | undefined): ReadonlyMap<string | number, ValueNode> {
  return node === undefined || node.kind === 'scalar' ? new Map() : node.children
}

function isLeaf(node: ValueNode): boolean {
  return node.kind === 'scalar' || node.children.size === 0
}

function isOpenNode(node: ValueNode): boolean {
  return isNull(node) || (node.kind !== 'scalar' && (node.kind === 'list' || node.children.size === 0))
}
