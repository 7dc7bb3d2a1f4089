import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { type Resolution, resolve } from '@wadi/params/resolve/resolve.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { FileTree } from '../tree/file-tree.ts'
import type { SourceInspection } from '../source-inspection.ts'
import { developerValues, resolveChartValues } from './helm-layers.ts'
import { kustomizationTrees } from './kustomization-trees.ts'
import { optionLayersOf } from './option-trees.ts'
import { placedParameters, resolvePluginParameters } from './plugin-tree.ts'
import { withMembers } from './with-members.ts'

/**
 * The values that decide a source which is neither a package nor a workload, by renderer.
 * @param tree that of the inspection
 * @throws InvalidInputError for values that cannot be read, and what a plugin throws while it is asked what it announces
 */
export async function plainTrees(
  tree: FileTree,
  inspection: SourceInspection,
  signal?: AbortSignal,
): Promise<ParameterTree[]> {
  const { plan, path, optionLayers } = inspection
  if (plan.renderer === 'helm') {
    const resolution = await resolveChartValues(tree, path, [developerValues(optionLayers, plan.helm)])
    return chartTrees(plan.helm.chartName, resolution, optionLayersOf(optionLayers, 'helm'))
  }
  if (plan.renderer === 'kustomize') {
    return await kustomizationTrees(tree, plan.kustomize, optionLayersOf(optionLayers, 'kustomize'))
  }
  if (plan.renderer === 'directory') {
    return [directoryTree(optionLayersOf(optionLayers, 'directory'))]
  }
  if (plan.renderer !== 'plugin') return []
  const { plugin, parameters, call } = plan.plugin
  const { announcements } = await plugin.announce({ ...call, tree, ...(signal && { signal }) })
  const developer = placedParameters(optionLayers, parameters)
  return [resolvePluginParameters(plugin.name, announcements, developer, []).tree]
}

/** Options of Helm that set values, and so are explained as those. */
export const valueOptions: ReadonlySet<string> = new Set([
  'valueFiles',
  'values',
  'valuesObject',
  'parameters',
  'fileParameters',
])

/** The values of a chart as a tree, and the options that are no values as another one if there are any. */
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

/** The options of a directory as a tree. */
export function directoryTree(layers: readonly Layer[]): ParameterTree {
  return { name: 'options of directory', resolution: resolve(layers, 'deep') }
}
