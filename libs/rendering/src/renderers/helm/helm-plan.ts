import { type ParameterView, noParameters } from '../../plan/parameter-view.ts'
import { type Plan, plainPlan } from '../../plan/plan.ts'
import type { GivenChart } from './given-chart.ts'

/** The plan of a chart. */
export function helmPlan(given: GivenChart, parameters: ParameterView = noParameters): Plan {
  const { options, valuesTexts, inputs, version } = given
  const { values = '', valuesObject = {} } = options
  const parameterValues = (options.parameters ?? []).map(({ value = '' }) => value)
  return {
    ...plainPlan,
    renderer: 'helm',
    inputs,
    identity: version,
    tools: [{ name: 'helm', version }],
    seesNamespace: !options.namespace,
    mayMissInputs: true,
    repeatability: {
      templates: [{ files: inputs, values: [values, valuesObject, parameterValues, [...valuesTexts]] }],
      isOpaque: false,
    },
    parameters,
    findOrigins: async (tree, { origins }) => {
      const { withReads } = await import('./template-origins.ts')
      return origins && withReads(tree, given.path, origins)
    },
    run: async (tree, context) => {
      // Loaded on first use: many a plan is made only for its fingerprint.
      const { renderChart } = await import('./render-chart.ts')
      return await renderChart(tree, context, given)
    },
  }
}
