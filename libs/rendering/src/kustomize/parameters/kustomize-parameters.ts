import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { assignOptions, splitChanges } from '../../edit/assign-options.ts'
import { describeKustomize } from './describe-kustomize.ts'
import { kustomizationTrees } from './kustomization-trees.ts'
import { kustomizeOptions } from './kustomize-options.ts'
import { optionEdit } from '../../edit/option-edit.ts'
import { optionLayersOf } from '../../explain/option-trees.ts'
import type { ParameterView } from '../../plan/parameter-view.ts'
import type { KustomizeBuild } from '../kustomize-build.ts'

/** The parameters of a kustomization: its options. */
export function kustomizeParameters(build: KustomizeBuild): ParameterView {
  const explain: ParameterView['explain'] = ({ tree, inspection: { optionLayers } }) =>
    kustomizationTrees(tree, build, optionLayersOf(optionLayers, 'kustomize'))
  return {
    describe: async ({ tree, inspection }) => ({
      parameters: await describeKustomize(tree, inspection, build),
      warnings: [],
    }),
    edit: async ({ inspection: { options } }, wanted) => {
      const { ofOptions, others } = splitChanges(kustomizeOptions, wanted)
      const [unknown] = [...others.removals, ...others.assignments.map(({ target }) => target)]
      if (unknown !== undefined) {
        const names = kustomizeOptions.map(({ name }) => name).join(', ')
        throw new InvalidInputError(`unknown parameter ${JSON.stringify(unknown)}; expected one of ${names}`)
      }
      return optionEdit(options, [assignOptions(kustomizeOptions, options, ofOptions)])
    },
    explain,
    decided: async (question) =>
      Object.keys(question.inspection.options.kustomize ?? {}).length > 0 ? await explain(question) : [],
  }
}
