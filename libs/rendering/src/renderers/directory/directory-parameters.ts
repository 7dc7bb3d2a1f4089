import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { optionLayersOf } from '../../parameters/explain/option-trees.ts'
import type { ParameterView } from '../../plan/parameter-view.ts'

/** The parameters of a directory: its options, which are shown and not set. */
export const directoryParameters: ParameterView = {
  // The code that describes is loaded for those who ask.
  describe: async ({ inspection }) => {
    const { describeOptions } = await import('../../parameters/describe/describe-options.ts')
    const { directoryOptions } = await import('./directory-options.ts')
    return { parameters: describeOptions(inspection, directoryOptions, new Map()), warnings: [] }
  },
  edit: async ({ inspection: { path } }) => {
    throw new InvalidInputError(`source "${path || '.'}" is a plain directory, which takes no parameters`)
  },
  explain: async ({ inspection }) => [directoryTree(optionLayersOf(inspection.optionLayers, 'directory'))],
  decided: (question) => directoryParameters.explain(question),
}

/** The options of a directory as a tree. */
export function directoryTree(layers: readonly Layer[]): ParameterTree {
  return { name: 'options of directory', resolution: resolve(layers, 'deep') }
}
