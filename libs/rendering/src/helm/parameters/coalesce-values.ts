import type { Layer } from '@wadi/params/resolve/layer.ts'
import { partAt, partOf } from '@wadi/params/values/located.ts'
import { mergeLocated } from '@wadi/params/resolve/merge-located.ts'
import { type Resolution, resolve } from '@wadi/params/resolve/resolve.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import { mergedTrees } from '../../explain/option-trees.ts'
import { withMembers } from '../../explain/with-members.ts'

/** Keys below which something is left out of a tree: all, or what the mask says. */
type Mask = Map<string, Mask | 'all'>

/** The defaults of a chart, or of a subchart whose values stand below names. */
export interface ChartDefaultValues {
  readonly below: readonly string[]
  /** The whole tree, names included; undefined for a chart without values. */
  readonly layer: Layer | undefined
}

/**
 * Resolves the values of a chart as Helm does: maps are merged, everything else replaces what was there. A null removes the
 * default of the chart that it is for, and stays where there is none; what a chart says of its subcharts' values applies
 * as given to them. Defaults have no say in how given values come together, so a map that is given over a given scalar is
 * merged with the default map below both.
 * @param charts each before its subcharts
 * @param given in any order; their ranks decide
 */
export function coalesceValues(charts: readonly ChartDefaultValues[], given: readonly Layer[]): Resolution {
  let layers = withoutHidden(given)
  for (const { below, layer } of charts) {
    if (layer === undefined) continue
    const [values, defaults] = [partAt(mergedByRank(layers), below), partAt(layer.tree, below)]
    const removed: Mask = new Map()
    if (values !== undefined && defaults !== undefined) {
      collectRemoved(values, defaults, subchartsOf(charts, below), removed)
    }
    const mask = below.reduceRight<Mask>((inner, name) => new Map([[name, inner]]), removed)
    const all = [layer, ...layers]
    layers = withoutHidden(
      removed.size === 0 ? all : all.map((one) => ({ ...one, tree: leaveOut(one.tree, mask) })),
    )
  }
  return resolve(layers, 'deep')
}

/** The keys of a chart's values that are those of its subcharts. */
function subchartsOf(charts: readonly ChartDefaultValues[], below: readonly string[]): Set<string> {
  const isBelow = (path: readonly string[]): boolean =>
    path.length === below.length + 1 && below.every((name, depth) => path[depth] === name)
  return new Set(charts.flatMap((chart) => (isBelow(chart.below) ? chart.below.slice(-1) : [])))
}

function mergedByRank(layers: readonly Layer[]): Located {
  return mergedTrees(layers.toSorted((a, b) => a.rank - b.rank).map(({ tree }) => tree))
}

/** Collects what nulls remove; a null below another one below the top level is left alone by Helm. */
function collectRemoved(
  upper: Located,
  lower: Located,
  subcharts: ReadonlySet<string> | undefined,
  removed: Mask,
): void {
  for (const key of isValueMap(upper.value) ? upper.value.keys() : []) {
    const [above, below] = [partOf(upper, key), partOf(lower, key)]
    if (above === undefined || below === undefined || subcharts?.has(key) === true) continue
    if (above.value === null) {
      if (subcharts !== undefined || below.value !== null) removed.set(key, 'all')
    } else if (isValueMap(above.value) && isValueMap(below.value)) {
      const inner: Mask = new Map()
      collectRemoved(above, below, undefined, inner)
      if (inner.size > 0) removed.set(key, inner)
    }
  }
}

function leaveOut(tree: Located, removed: Mask): Located {
  return withMembers(tree, (key, part) => {
    const mask = removed.get(key)
    if (mask === 'all') return undefined
    return mask === undefined || !isValueMap(part.value) ? part : leaveOut(part, mask)
  })
}

/** Leaves out what a map replaces that is none, and all that was hidden by it. */
function withoutHidden(given: readonly Layer[]): Layer[] {
  const hidden: Mask = new Map()
  let above: Located | undefined
  const layers: Layer[] = []
  for (const layer of given.toSorted((a, b) => a.rank - b.rank).toReversed()) {
    const upper = layers.at(-1)?.tree
    if (upper !== undefined) above = above === undefined ? upper : mergeLocated(upper, above)
    layers.push({ ...layer, tree: leaveHidden(layer.tree, above, hidden) })
  }
  return layers.toReversed()
}

function leaveHidden(tree: Located, above: Located | undefined, hidden: Mask): Located {
  return withMembers(tree, (key, part) => {
    const mask = hidden.get(key)
    if (mask === 'all') return undefined
    const over = above && partOf(above, key)
    if (over === undefined ? mask === undefined : !isValueMap(over.value)) return part
    if (isValueMap(part.value)) {
      const inner: Mask = mask ?? new Map()
      const left = leaveHidden(part, over, inner)
      if (inner.size > 0) hidden.set(key, inner)
      return left
    }
    if (over === undefined) return part
    hidden.set(key, 'all')
    return undefined
  })
}
