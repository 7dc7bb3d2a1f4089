import type { ToolVersion } from '../../plan/plan.ts'
import type { Plugin, PluginProgram } from './plugins.ts'

/** A plugin among the recorded tools. */
export interface PluginTool extends ToolVersion, Omit<PluginProgram, 'version'> {}

/**
 * Returns how a plugin is recorded: by its name without its version, and by its version with the beginning of its identity, so that another
 * program of the same version is another tool.
 * @param made the identity of the plugin that made the result
 */
export function pluginTool({ name, identity, program }: Plugin, made = identity): PluginTool {
  const { version, image } = program
  const ownName = version === '' || !name.endsWith(`-${version}`) ? name : name.slice(0, -version.length - 1)
  const build = version === '' || made === '' ? made : `+sha256.${made.slice(0, 12)}`
  // What is known of the program is of the plugin that was asked.
  const sha256 = made === identity ? program.sha256 : ''
  return { name: `plugin ${ownName}`, version: `${version}${build}`, sha256, image }
}
