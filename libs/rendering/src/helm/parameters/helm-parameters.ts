import { describeHelm } from './describe-helm.ts'
import { assignOptions, splitChanges } from '../../edit/assign-options.ts'
import { chartTrees } from './chart-trees.ts'
import { developerValues, resolveChartValues } from './helm-layers.ts'
import { optionLayersOf } from '../../explain/option-trees.ts'
import { optionEdit } from '../../edit/option-edit.ts'
import { helmOptions } from './helm-options.ts'
import { parseSetName } from './helm-set.ts'
import { readKnownValues } from './known-values.ts'
import type { ParameterView } from '../../plan/parameter-view.ts'
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
    describe: ({ tree, inspection, source }) => describeHelm(tree, inspection, source, chart, version),
    edit: async ({ tree, inspection }, wanted) => {
      const { options } = inspection
      const { ofOptions, others } = splitChanges(helmOptions, wanted)
      const ofHelm = assignOptions(helmOptions, options, ofOptions)
      if (others.assignments.length + others.removals.length === 0) return optionEdit(options, [ofHelm])
      // What edits YAML is loaded when somebody edits.
      const { assignChartValues } = await import('./assign-chart-values.ts')
      const { unknownValues } = await import('./unknown-value.ts')
      const known = await readKnownValues(tree, inspection, chart, version)
      const values = assignChartValues(options.helm ?? {}, known, others)
      const names = others.assignments.map(({ target }) => target)
      const { problems, warnings } = await unknownValues(tree, inspection.path, known, names)
      const edit = optionEdit(options, [ofHelm, values])
      return { ...edit, problems: [...values.problems, ...problems], warnings }
    },
    doubts: async ({ tree, inspection }) => {
      const names = [...chart.parameters, ...chart.fileParameters].map(({ name }) => name)
      if (names.length === 0) return []
      const { tree: defaults } = await resolveChartValues(tree, inspection.path, [], version)
      const unlisted = names.filter((name) => valueAt(defaults, parseSetName(name) ?? []) === undefined)
      if (unlisted.length === 0) return []
      const { unknownValues } = await import('./unknown-value.ts')
      const known = await readKnownValues(tree, inspection, chart, version)
      const { problems, warnings } = await unknownValues(tree, inspection.path, known, unlisted)
      return [...problems, ...warnings].map((text) => `parameter ${text}`)
    },
    explain,
    decided: async (question) =>
      Object.keys(question.inspection.options.helm ?? {}).length > 0 ? await explain(question) : [],
  }
}
