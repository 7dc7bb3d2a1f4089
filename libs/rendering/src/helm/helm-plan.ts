import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { type ParameterView, noParameters } from '../plan/parameter-view.ts'
import { type Plan, plainOutput, plainPlan } from '../plan/plan.ts'
import { runSandboxed } from '../sandbox/sandboxed-run.ts'
import type { HelmOptions } from './helm-option-schema.ts'
import type { ChartRender } from './helm-inputs.ts'
import { templateChart } from './render-helm.ts'

/** A chart with everything that Helm is given. */
interface GivenChart {
  /** The chart's directory or archive, from the repository's root. */
  readonly path: string
  readonly chart: ChartRender
  readonly options: HelmOptions
  /** Values files that are not in the repository; the values of the options win over them. */
  readonly valuesTexts: readonly string[]
  readonly inputs: readonly string[]
  /** That of Helm. */
  readonly version: string
}

/** The plan of a chart. */
export function helmPlan(given: GivenChart, parameters: ParameterView = noParameters): Plan {
  const { path, chart, options, valuesTexts, inputs, version } = given
  const tools = [{ name: 'helm', version }]
  const { values = '', valuesObject = {} } = options
  const parameterValues = (options.parameters ?? []).map(({ value = '' }) => value)
  return {
    ...plainPlan,
    renderer: 'helm',
    inputs,
    identity: version,
    tools,
    seesNamespace: !options.namespace,
    mayMissInputs: true,
    repeatability: {
      templates: [{ files: inputs, values: [values, valuesObject, parameterValues, [...valuesTexts]] }],
      isOpaque: false,
    },
    parameters,
    run: async (tree, context) => {
      const network = chart.dependencySteps.some(({ repositories }) => repositories.length > 0)
      const { result, widened } = await runSandboxed(tree, context, {
        path,
        inputs,
        network,
        render: (run) => templateChart(run, chart, options, valuesTexts),
      })
      const { file, output, commands } = result
      return {
        ...plainOutput,
        result: { files: [{ file, text: output, jsonnet: false }] },
        record: create(RenderRecordSchema, { commands: [...commands], tools }),
        widened,
      }
    },
  }
}
