import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { PluginDefinition } from '@wadi/plugins/file/plugin.ts'
import type { ArchiveLimits } from './archive/archive-limits.ts'
import type { ScriptRunner } from './commands/script-runner.ts'
import type { Ytt } from './commands/ytt.ts'
import type { CmpServerEvents } from './events.ts'
import type { DynamicKnowledge } from './plugin/dynamic-knowledge.ts'
import type { MissingVariables } from './plugin/missing-variables.ts'
import type { PluginIdentity } from './plugin/plugin-identity.ts'
import type { CommandOptions } from './run/run-command.ts'
import type { RunDirectories } from './run/run-directories.ts'
import type { RunSlots } from './run/run-slots.ts'

/** The context of the RPCs of cmp-server. */
export interface CmpServerContext {
  /** Undefined when none is configured. */
  plugin: PluginDefinition | undefined
  /** The make-up of the plugin at present; empty without one. */
  consistsOf: PluginIdentity
  /** The image of the sidecar that this is; empty when it is not known. */
  image: string
  /** Warns of what the plugin reads and a run does not have. */
  missingVariables: MissingVariables
  /** The known facts about the announcements of the plugin's command. */
  dynamicKnowledge: DynamicKnowledge
  runs: RunDirectories
  slots: RunSlots
  events: CmpServerEvents
  limits: ArchiveLimits
  /** Bounds of each command. */
  commands: Pick<CommandOptions, 'containment' | 'timeoutMs' | 'graceMs' | 'maxOutputBytes'>
  scripts: ScriptRunner
  ytt: Ytt
  /** The environment that commands take over from the service, by name. */
  environment: ReadonlyMap<string, string>
  /** The directories in which programs are searched by their names. */
  programDirectories: readonly string[]
}

/** The error of a service without a plugin. */
export const noPlugin = 'no plugin is configured; name its file with --plugin or WADI_PLUGIN'

/**
 * The plugin of the service.
 * @throws FailedPreconditionError when there is none
 */
export function requirePlugin({ plugin }: CmpServerContext): PluginDefinition {
  if (plugin === undefined) throw new FailedPreconditionError(noPlugin)
  return plugin
}
