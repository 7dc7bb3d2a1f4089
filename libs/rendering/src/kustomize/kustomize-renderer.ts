import { noParameters } from '../plan/parameter-view.ts'
import { withRenderOptions } from '../plan/render-request.ts'
import { type RendererWithOptions, isAskedFor, optionsFor } from '../plan/renderer.ts'
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
    return kustomizePlan(source, { path, build, inputs: inputs.paths() }, parameters)
  },
}
