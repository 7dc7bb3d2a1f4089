import { kustomizationTrees } from './kustomization-trees.ts'
import { optionLayersOf } from '../../../parameters/explain/option-trees.ts'
import type { ParameterView } from '../../../plan/parameter-view.ts'
import type { KustomizeBuild } from '../kustomize-build.ts'

/** The parameters of a kustomization: its options. */
export function kustomizeParameters(build: KustomizeBuild): ParameterView {
  const explain: ParameterView['explain'] = ({ tree, inspection: { optionLayers } }) =>
    kustomizationTrees(tree, build, optionLayersOf(optionLayers, 'kustomize'))
  return {
    // The code that describes and edits is loaded for those who ask.
    describe: async ({ tree, inspection }) => {
      const { describeKustomize } = await import('./describe-kustomize.ts')
      return { parameters: await describeKustomize(tree, inspection, build), warnings: [] }
    },
    edit: async ({ inspection: { options } }, wanted) => {
      const { editKustomize } = await import('./edit-kustomize.ts')
      return editKustomize(options, wanted)
    },
    explain,
    decided: async (question) =>
      Object.keys(question.inspection.options.kustomize ?? {}).length > 0 ? await explain(question) : [],
  }
}
