import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addPluginGetCommand } from './plugin-get.ts'
import { addPluginListCommand } from './plugin-list.ts'
import { addPluginTestCommand } from './plugin-test.ts'

/** Defines the sub-commands of `plugin`. */
export function definePluginCommands(plugin: Command, session: CommandSession): void {
  showExamples(plugin, 'wadi plugin list', 'wadi plugin test --plugin plugin.yaml apps/web')
  addPluginListCommand(plugin, session)
  addPluginGetCommand(plugin, session)
  addPluginTestCommand(plugin, session)
}
