import { Option } from 'commander'
import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { PluginListFormat } from '../plugins/plugin-output.ts'

/** Adds `plugin list`. */
export function addPluginListCommand(plugin: Command, session: CommandSession): void {
  const command = plugin
    .command('list')
    .addOption(new Option('-o, --output <format>', 'output').choices(['wide', 'name', 'json', 'yaml']))
    .action((flags: { output?: PluginListFormat }) => listPlugins(session, flags.output))
  explain(command, 'List the plugins, their discovery rules and number of parameters.', [
    'wadi plugin list',
    'wadi plugin list -o wide',
  ])
}

async function listPlugins(session: CommandSession, format: PluginListFormat): Promise<void> {
  const server = await session.connect('plugins')
  const { plugins } = await server.plugins.listPlugins({}, { signal: session.signal })
  const { pluginListText } = await import('../plugins/plugin-output.ts')
  process.stdout.write(pluginListText(plugins, format))
}
