import { type RendererWithOptions, isAskedFor, optionsFor } from '../../plan/renderer.ts'
import { originIn } from '../../source/option-origin.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { planHelm } from './helm-inputs.ts'
import { helmParameters } from './parameters/helm-parameters.ts'
import { helmPlan } from './helm-plan.ts'
import { planRenderedChart } from './rendered-chart.ts'
import { helmOptionSchema } from './helm-option-schema.ts'

/** Charts, rendered with `helm template`. */
export const helm: RendererWithOptions<'helm', typeof helmOptionSchema> = {
  name: 'helm',
  options: { schema: helmOptionSchema },
  noun: 'a chart',
  trialValues: 'options',
  detects: async (tree, path) => (await followPath(tree, childPath(path, 'Chart.yaml'))) !== undefined,
  async plan(source) {
    if (!(await isAskedFor(helm, source))) return undefined
    const { path, environment, trace, tools, policy, inputs, render } = source
    if (render !== undefined) return await planRenderedChart(source, render)
    const options = optionsFor(helm, source.options) ?? {}
    const originOf = originIn(source.layers)
    const chart = await planHelm(trace, path, options, environment, policy, inputs, originOf)
    return helmPlan(
      { path, chart, options, valuesTexts: [], inputs: inputs.paths(), version: tools.helm.version },
      helmParameters(chart, tools.helm.version),
    )
  },
}
