import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addPluginGetCommand } from './plugin-get.ts'
import { addPluginListCommand } from './plugin-list.ts'
import { addPluginTestCommand } from './plugin-test.ts'

/** Adds `plugin` with its sub-commands. */
export function addPluginCommands(program: Command, session: CommandSession): void {
  const plugin = explain(program.command('plugin'), 'List, show and try config management plugins.', [
    'wadi plugin list',
    'wadi plugin test --plugin plugin.yaml apps/web',
  ])
  addPluginListCommand(plugin, session)
  addPluginGetCommand(plugin, session)
  addPluginTestCommand(plugin, session)
}
