import { isDeepStrictEqual } from 'node:util'
import { assignParameters } from '@wadi/plugins/parameters/assign-parameters.ts'
import { checkParameters } from '@wadi/plugins/parameters/check-parameters.ts'
import { describePlugin } from './describe-plugin.ts'
import { comparable } from '../../../parameters/edit/option-comparison.ts'
import { parametersChange, parametersPath } from './parameters-change.ts'
import { placedParameters, resolvePluginParameters } from './plugin-tree.ts'
import type { ParameterView } from '../../../plan/parameter-view.ts'
import type { PluginUse } from '../plugin-use.ts'

/** The parameters that a plugin announces, and those that are set. */
export function pluginParameters(use: PluginUse): ParameterView {
  const { plugin, parameters, call } = use
  return {
    describe: async ({ tree, inspection, signal }) => ({
      plugin: plugin.name,
      ...(await describePlugin(tree, inspection, use, signal)),
    }),
    edit: async ({ tree, inspection: { options }, signal }, wanted) => {
      const { announcements } = await plugin.announce({ ...call, tree, ...(signal && { signal }) })
      const edited = assignParameters(parameters, announcements, wanted)
      const problems = checkParameters(edited, announcements)
      return {
        changes: isDeepStrictEqual(parameters, edited) ? [] : [parametersChange(parameters, edited)],
        paths: [parametersPath],
        wanted: comparable({ ...options, plugin: { ...options.plugin, parameters: edited } }),
        problems: problems.map(({ name, message }) => `${name}: ${message}`),
      }
    },
    explain: async ({ tree, inspection: { optionLayers }, signal }) => {
      const { announcements } = await plugin.announce({ ...call, tree, ...(signal && { signal }) })
      const developer = placedParameters(optionLayers, parameters)
      return [resolvePluginParameters(plugin.name, announcements, developer, []).tree]
    },
    // Without what it announces, so that no default of it is overridden.
    decided: async ({ inspection: { optionLayers } }) =>
      parameters.length === 0
        ? []
        : [resolvePluginParameters(plugin.name, [], placedParameters(optionLayers, parameters), []).tree],
  }
}
