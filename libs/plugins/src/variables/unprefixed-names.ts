import type { Announcement } from '../announcements/announcement.ts'
import { commandsOf, type PluginDefinition } from '../file/plugin.ts'
import { unprefixedVariables } from '../parameters/parameter-variables.ts'
import { variablesFromOutside } from './script-variables.ts'

/** The fields that decide which variables without `PARAM_` a plugin gets. */
type NamingPlugin = Pick<
  PluginDefinition,
  'unprefixedNames' | 'variableNames' | 'announcements' | 'init' | 'generate' | 'announce' | 'discovery'
>

/**
 * Returns whether the plugin's mode lets a parameter set the variable of a name. Apart from `guarded`, only the
 * plugin's file can name one: neither a parameter, its group or a key of its map, nor what a command announces.
 */
export function unprefixedNames(plugin: NamingPlugin): (variable: string) => boolean {
  const { unprefixedNames: mode, announcements } = plugin
  if (mode === 'off') return () => false
  if (mode === 'guarded') return () => true
  const announced = new Set(announcements.flatMap(namesOf))
  const written = new Set(
    mode === 'named' ? [...plugin.variableNames, ...commandsOf(plugin).flatMap(namesInCommand)] : [],
  )
  return (variable) =>
    announced.has(variable) || announced.has(variable.replace(/_\d+$/, '')) || written.has(variable)
}

function namesInCommand(argv: readonly string[]): string[] {
  return [...variablesFromOutside(argv.join('\n'))]
}

/** The variable of an announced parameter, with its group and without, and those of the keys that its default has. */
function namesOf({ name, group, default: value }: Announcement): string[] {
  const map = value?.kind === 'map' ? { map: value.entries } : {}
  return [group, ''].flatMap((given) =>
    unprefixedVariables([
      { name, group: given, string: '', ...map, form: 'flat', itemType: '', warnings: [] },
    ]).map((variable) => variable.name),
  )
}
