import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { type Resolution, resolve } from '@wadi/params/resolve/resolve.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import { withMembers } from '../../../parameters/explain/with-members.ts'

/** Options of Helm that set values, and so are explained as those. */
export const valueOptions: ReadonlySet<string> = new Set([
  'valueFiles',
  'values',
  'valuesObject',
  'parameters',
  'fileParameters',
])

/** The values of a chart as a tree, and the options that are not values as another one if there are any. */
export function chartTrees(
  chartName: string,
  values: Resolution,
  options: readonly Layer[],
): ParameterTree[] {
  const isOption = (key: string, part: Located): Located | undefined =>
    valueOptions.has(key) ? undefined : part
  const layers = options.map((layer) => ({ ...layer, tree: withMembers(layer.tree, isOption) }))
  const others = resolve(layers, 'deep')
  const name = JSON.stringify(chartName)
  return [
    { name: `values of chart ${name}`, resolution: values },
    ...(isValueMap(others.tree) && others.tree.size > 0
      ? [{ name: `options of chart ${name}`, resolution: others }]
      : []),
  ]
}
