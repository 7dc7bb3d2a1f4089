import { describeHelm } from '../parameters/describe-helm.ts'
import { assignHelmParameters, assignOptions, splitChanges } from '../parameters/assign-options.ts'
import { chartTrees } from '../parameters/chart-trees.ts'
import { developerValues, resolveChartValues } from '../parameters/helm-layers.ts'
import { optionLayersOf } from '../parameters/option-trees.ts'
import { optionEdit } from '../parameters/option-edit.ts'
import { helmOptions } from '../parameters/helm-options.ts'
import type { ParameterView } from '../plan/parameter-view.ts'
import type { ChartRender } from './helm-inputs.ts'

/** The parameters of a chart: options of Helm, and values. */
export function helmParameters(chart: ChartRender): ParameterView {
  const explain: ParameterView['explain'] = async ({ tree, inspection: { path, optionLayers } }) => {
    const resolution = await resolveChartValues(tree, path, [developerValues(optionLayers, chart)])
    return chartTrees(chart.chartName, resolution, optionLayersOf(optionLayers, 'helm'))
  }
  return {
    describe: ({ tree, inspection, source }) => describeHelm(tree, inspection, source, chart),
    edit: async ({ inspection: { options } }, wanted) => {
      const { ofOptions, others } = splitChanges(helmOptions, wanted)
      return optionEdit(options, [
        assignOptions(helmOptions, options, ofOptions),
        assignHelmParameters(options, others),
      ])
    },
    explain,
    decided: async (question) =>
      Object.keys(question.inspection.options.helm ?? {}).length > 0 ? await explain(question) : [],
  }
}
