import { chartTrees } from './chart-trees.ts'
import { developerValues, resolveChartValues } from './helm-layers.ts'
import { optionLayersOf } from '../../../parameters/explain/option-trees.ts'
import { parseSetName } from '@wadi/params/values/set-name.ts'
import type { ParameterView } from '../../../plan/parameter-view.ts'
import type { ChartRender } from '../helm-inputs.ts'
import { valueAt } from './value-steps.ts'

/**
 * The parameters of a chart: options of Helm, and values.
 * @param version that of the Helm which renders
 */
export function helmParameters(chart: ChartRender, version: string): ParameterView {
  const explain: ParameterView['explain'] = async ({ tree, inspection: { path, optionLayers } }) => {
    const resolution = await resolveChartValues(tree, path, [developerValues(optionLayers, chart)], version)
    return chartTrees(chart.chartName, resolution, optionLayersOf(optionLayers, 'helm'))
  }
  return {
    // The code that describes and edits is loaded for those who ask.
    describe: async ({ tree, inspection, source }) => {
      const { describeHelm } = await import('./describe-helm.ts')
      return await describeHelm(tree, inspection, source, chart, version)
    },
    edit: async ({ tree, inspection }, wanted) => {
      const { editHelm } = await import('./edit-helm.ts')
      return await editHelm(tree, inspection, chart, version, wanted)
    },
    doubts: async ({ tree, inspection }) => {
      const names = [...chart.parameters, ...chart.fileParameters].map(({ name }) => name)
      if (names.length === 0) return []
      const { tree: defaults } = await resolveChartValues(tree, inspection.path, [], version)
      const unlisted = names.filter((name) => valueAt(defaults, parseSetName(name) ?? []) === undefined)
      if (unlisted.length === 0) return []
      const { unknownValues } = await import('./unknown-value.ts')
      const { readKnownValues } = await import('./known-values.ts')
      const known = await readKnownValues(tree, inspection, chart, version)
      const { problems, warnings } = await unknownValues(tree, inspection.path, known, unlisted)
      return [...problems, ...warnings].map((text) => `parameter ${text}`)
    },
    explain,
    decided: async (question) =>
      Object.keys(question.inspection.options.helm ?? {}).length > 0 ? await explain(question) : [],
  }
}
