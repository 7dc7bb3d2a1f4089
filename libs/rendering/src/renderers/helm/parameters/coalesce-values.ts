import { isDeepStrictEqual } from 'node:util'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { type Resolution, resolve } from '@wadi/params/resolve/resolve.ts'
import { locatedMap, partOf } from '@wadi/params/values/located.ts'
import { type Located, type Value, isValueMap } from '@wadi/params/values/value.ts'
import { mergedTrees } from '../../../parameters/explain/option-trees.ts'
import { type ChartOfValues, coalescedValues, nullRulesOf } from './coalesce-rules.ts'

/**
 * Resolves the values of a chart as a version of Helm does. Of each layer, what does not take part in the result is left out,
 * so that layers merge to it.
 * @param defaults a layer for each chart, from the deepest subchart to the chart itself
 * @param given in any order; their ranks decide
 */
export function coalesceValues(
  chart: ChartOfValues,
  defaults: readonly Layer[],
  given: readonly Layer[],
  version: string,
): Resolution {
  const ordered = given.toSorted((a, b) => a.rank - b.rank)
  const merged = mergedTrees(ordered.map(({ tree }) => tree)).value
  const values = coalescedValues(chart, isValueMap(merged) ? merged : new Map(), nullRulesOf(version))
  const layers = [...defaults, ...ordered].toReversed()
  const trees = takingPart(
    layers.map(({ tree }) => tree),
    values,
  )
  const left = layers.map((layer, index) => ({
    ...layer,
    tree: trees[index] ?? locatedMap(new Map(), layer.tree.at),
  }))
  return resolve(left.toReversed(), 'deep')
}

/** The parts of trees, the strongest first, that give a value or have a place below the one that does. */
function takingPart(
  trees: readonly (Located | undefined)[],
  value: Value | undefined,
): readonly (Located | undefined)[] {
  if (value === undefined) return trees.map(() => undefined)
  if (!isValueMap(value)) {
    const winner = trees.findIndex((tree) => tree !== undefined && isDeepStrictEqual(tree.value, value))
    return trees.map((tree, index) => (index < winner ? undefined : tree))
  }
  const maps = trees.map((tree) => (isValueMap(tree?.value) ? tree : undefined))
  const parts = trees.map(() => new Map<string, Located>())
  const keys = new Set(
    maps.toReversed().flatMap((map) => (isValueMap(map?.value) ? [...map.value.keys()] : [])),
  )
  for (const key of keys) {
    const below = takingPart(
      maps.map((map) => map && partOf(map, key)),
      value.get(key),
    )
    for (const [index, part] of below.entries()) if (part !== undefined) parts[index]?.set(key, part)
  }
  return maps.map((map, index) => map && { ...map, ...locatedMap(parts[index] ?? new Map(), map.at) })
}
