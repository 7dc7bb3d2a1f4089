import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'

interface GetFlags {
  output: 'wide' | 'json' | 'yaml'
}

/** Adds `plugin get`. */
export function addPluginGetCommand(plugin: Command, session: CommandSession): void {
  const command = plugin
    .command('get')
    .argument('<name>', 'NAME or NAME-VERSION')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((name: string, flags: GetFlags) => getPlugin(session, name, flags))
  explain(command, 'Show a plugin and the parameters that it has for every source.', [
    'wadi plugin get helm',
    'wadi plugin get helm -o yaml',
  ])
  completeWith(command, 'plugins')
}

async function getPlugin(session: CommandSession, name: string, { output }: GetFlags): Promise<void> {
  const server = await session.connect('plugins')
  const { plugin } = await server.plugins.getPlugin({ name }, { signal: session.signal })
  if (!plugin) throw new CommandFailure(`the server knows no plugin ${JSON.stringify(name)}`)
  const { pluginText } = await import('../plugins/plugin-output.ts')
  process.stdout.write(pluginText(plugin, output))
}
