import { noParameters } from '../../plan/parameter-view.ts'
import { withRenderOptions } from '../../plan/render-options.ts'
import { type PlannedSource, type RendererWithOptions, isAskedFor, optionsFor } from '../../plan/renderer.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { kustomizationTrees } from './parameters/kustomization-trees.ts'
import { findKustomization } from './kustomize-inputs.ts'
import { kustomizeParameters } from './parameters/kustomize-parameters.ts'
import { kustomizePlan } from './kustomize-plan.ts'
import { planKustomize } from './kustomize-build.ts'
import { kustomizeOptionSchema } from './kustomize-option-schema.ts'

/** Kustomizations, rendered with `kustomize build` or `kubectl kustomize`. */
export const kustomize: RendererWithOptions<'kustomize', typeof kustomizeOptionSchema> = {
  name: 'kustomize',
  options: { schema: kustomizeOptionSchema },
  noun: 'a kustomization',
  trialValues: 'none',
  detects: async (tree, path) => (await findKustomization(tree, path)) !== undefined,
  async plan(source) {
    if (!(await isAskedFor(kustomize, source))) return undefined
    const { path, trace, inputs, render } = source
    const given = render && withRenderOptions(source, render, 'kustomize')
    const options = optionsFor(kustomize, given?.options ?? source.options) ?? {}
    const build = await planKustomize(source, path, options, inputs)
    const trees = given && (await kustomizationTrees(trace, build, given.layers))
    const parameters = trees ? { ...noParameters, explain: async () => trees } : kustomizeParameters(build)
    const plan = kustomizePlan(source, { path, build, inputs: inputs.paths() }, parameters)
    return { ...plan, warnings: [...plan.warnings, ...(await chartBeside(source))] }
  },
}

/** Warns where the files alone decide, and ask for a chart too. Argo CD builds the kustomization as well. */
async function chartBeside({ named, trace, path }: PlannedSource): Promise<string[]> {
  if (named.length > 0) return []
  const chart = await followPath(trace, childPath(path, 'Chart.yaml'))
  const file = chart && (await findKustomization(trace, path))
  if (file === undefined) return []
  return [
    `${chart?.path} is not rendered, as ${file} stands beside it; write "kustomize: {}", or "helm: {}" for the chart, into ${childPath(path, '.argocd-source.yaml')}`,
  ]
}
