import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { locatedView } from '../values/located-view.ts'
import { wrongType } from '@wadi/fields/field-findings.ts'
import { decide } from './decide.ts'
import type { Contribution } from './decide.ts'
import type { Layer, MergeMode } from './layer.ts'
import { locatedMap, partAt, partOf } from '../values/located.ts'
import { mergeLocated } from './merge-located.ts'
import type { Path } from '../values/path.ts'
import { copyValue, mergeInto } from '../values/value-tree.ts'
import type { OwnMap } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Located, Owner, Provenance, Source, Value, ValueMap } from '../values/value.ts'

/** A value that was decided as a whole: anything that is not a map, or an empty map; in mode `replace` a top-level key. */
export interface Leaf {
  path: Path
  value: Value
  why: Provenance
}

/** The result of resolving layers. */
export interface Resolution {
  /** A map which shares nothing with the layers. */
  readonly tree: Value
  /**
   * Returns what decided the value at a path, or undefined when the tree has none there. A path may lead into a list, by
   * positions. A map's winner is the strongest layer that has a part in it, and layers it was merged with are not overridden.
   */
  why(path: Path): Provenance | undefined
  /**
   * Goes through the leaves in the tree's order. A list is one leaf.
   * @param isOf for those alone that some owners decide, which is faster than to look at all
   */
  leaves(isOf?: (owner: Owner) => boolean): Iterable<Leaf>
  /** Returns the tree with the place of each part's winner, for use as a layer of another resolution. */
  located(): Located
}

/**
 * Resolves layers: a higher rank wins, and inside a rank the later one.
 *
 * @throws InvalidInputError with file and line when a layer's tree is not a map.
 */
export function resolve(layers: readonly Layer[], mode: MergeMode): Resolution {
  const ordered = layers.toSorted((lower, upper) => lower.rank - upper.rank)
  const trees = ordered.map((layer) => layer.tree)
  const tree: OwnMap = new Map()
  for (const layer of trees) {
    if (mode === 'deep') mergeInto(tree, mapOf(layer))
    else for (const [key, value] of mapOf(layer)) tree.set(key, copyValue(value))
  }
  const sourceOf = ({ index, located }: Contribution): Source[] => {
    const layer = ordered[index]
    return layer === undefined ? [] : [sourceIn(layer, located)]
  }
  const why = (path: Path): Provenance | undefined => {
    const decision = decide(trees, path, mode)
    const [winner] = decision === undefined ? [] : sourceOf(decision.winner)
    return winner && { winner, overridden: decision?.overridden.flatMap(sourceOf) ?? [] }
  }
  return {
    tree,
    why,
    leaves: (isOf) => {
      const own = isOf && trees.filter((_, index) => isOf(ordered[index]?.owner ?? 'tool'))
      return leavesOf(tree, why, {
        maxDepth: mode === 'replace' ? 1 : Infinity,
        isOf,
        // Who decides a leaf has a part at each map above it.
        ...(own && { mayBeBelow: (path) => own.some((layer) => partAt(layer, path) !== undefined) }),
      })
    },
    located: () => mergedTree(trees, mode),
  }
}

function mapOf(values: Located): ValueMap {
  if (isValueMap(values.value)) return values.value
  const reason = `values ${wrongType('object', locatedView.typeOf(values))}`
  throw new InvalidInputError(reason, { at: values.at })
}

function sourceIn({ owner, kind, label }: Layer, { at, value, derivedFrom }: Located): Source {
  return {
    owner,
    kind,
    at,
    value,
    ...(label === undefined ? {} : { label }),
    ...(derivedFrom === undefined ? {} : { derivedFrom }),
  }
}

/** Which leaves of a tree are wanted. */
interface WantedLeaves {
  /** The most keys that lead to one; a map below them is one. Default: any number. */
  readonly maxDepth?: number
  /** Selects the owners whose values are wanted; default: all. */
  readonly isOf?: ((owner: Owner) => boolean) | undefined
  /** Returns false if no wanted value can be below a path; default: true everywhere. */
  readonly mayBeBelow?: (path: Path) => boolean
}

/** Goes through a tree's leaves. */
export function* leavesOf(
  tree: Value,
  why: (path: Path) => Provenance | undefined,
  wanted: WantedLeaves = {},
  path: Path = [],
): Generator<Leaf> {
  const { maxDepth = Infinity, isOf, mayBeBelow } = wanted
  if (mayBeBelow?.(path) === false) return
  if (isValueMap(tree) && path.length < maxDepth && (tree.size > 0 || path.length === 0)) {
    for (const [key, value] of tree) yield* leavesOf(value, why, wanted, [...path, key])
    return
  }
  const provenance = why(path)
  if (provenance === undefined || isOf?.(provenance.winner.owner) === false) return
  yield { path, value: tree, why: provenance }
}

function mergedTree(trees: readonly Located[], mode: MergeMode): Located {
  const [first, ...others] = trees
  if (first === undefined) return { value: new Map(), at: { file: '' } }
  return others.reduce(mode === 'deep' ? mergeLocated : replaceKeys, first)
}

function replaceKeys(lower: Located, upper: Located): Located {
  const parts = new Map<string, Located>()
  for (const tree of [lower, upper]) {
    for (const key of mapOf(tree).keys()) {
      const part = partOf(tree, key)
      if (part !== undefined) parts.set(key, part)
    }
  }
  return { ...upper, ...locatedMap(parts, upper.at) }
}
