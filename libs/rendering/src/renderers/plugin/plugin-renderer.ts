import { planRenderedPlugin } from './rendered-plugin.ts'
import { pluginParameters } from './parameters/plugin-parameters.ts'
import { pluginPlan } from './plugin-plan.ts'
import { findPlugin } from './plugin-use.ts'
import type { RendererWithOptions } from '../../plan/renderer.ts'
import { pluginOptionSchema, withReadParameters } from './plugin-option-schema.ts'

/** The renderer of sources whose options name a config management plugin, or which its discovery rule matches. */
export const plugin: RendererWithOptions<'plugin', typeof pluginOptionSchema> = {
  name: 'plugin',
  options: { schema: pluginOptionSchema, normalize: withReadParameters },
  noun: 'the source of a plugin',
  trialValues: 'none',
  // Only the plugin itself knows, once everything that it receives is known.
  detects: async () => false,
  async plan(source) {
    if (source.named.some((name) => name !== plugin.name)) return undefined
    if (source.render !== undefined) return await planRenderedPlugin(source, source.render)
    const { options, tools, inputs } = source
    const use = await findPlugin({ ...source, options: options.plugin, plugins: tools.plugins })
    return use && pluginPlan(use, inputs.paths(), pluginParameters(use))
  },
}
