import { type Command, Option } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import type { PluginListFormat } from '../plugins/plugin-output.ts'

/** Defines the sub-commands of `plugin`. */
export function definePluginCommands(plugin: Command, session: CommandSession): void {
  showExamples(plugin, 'wadi plugin list', 'wadi plugin test --plugin plugin.yaml apps/web')
  addPluginListCommand(plugin, session)
  addPluginGetCommand(plugin, session)
  addPluginTestCommand(plugin, session)
}

/** Adds `plugin list`. */
function addPluginListCommand(plugin: Command, session: CommandSession): void {
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

/** Adds `plugin get`. */
function addPluginGetCommand(plugin: Command, session: CommandSession): void {
  const command = plugin
    .command('get')
    .argument('<name>', 'NAME or NAME-VERSION')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((name: string, flags: { output: 'wide' | 'json' | 'yaml' }) => getPlugin(session, name, flags))
  explain(command, 'Show a plugin and the parameters that it has for every source.', [
    'wadi plugin get helm',
    'wadi plugin get helm -o yaml',
  ])
  completeWith(command, 'plugins')
}

async function getPlugin(
  session: CommandSession,
  name: string,
  { output }: { output: 'wide' | 'json' | 'yaml' },
): Promise<void> {
  const server = await session.connect('plugins')
  const { plugin } = await server.plugins.getPlugin({ name }, { signal: session.signal })
  if (!plugin) throw new CommandFailure(`the server knows no plugin ${JSON.stringify(name)}`)
  const { pluginText } = await import('../plugins/plugin-output.ts')
  process.stdout.write(pluginText(plugin, output))
}

interface TestFlags {
  plugin: string
  parameter?: string[]
  app?: string
  namespace: string
  pluginVariables?: string
  output: 'text' | 'json' | 'yaml'
}

/** Adds `plugin test`. */
function addPluginTestCommand(plugin: Command, session: CommandSession): void {
  const command = plugin
    .command('test')
    .argument('<directory>', 'directory of an application')
    .requiredOption('--plugin <file>', 'file with the ConfigManagementPlugin')
    .option(
      '-p, --parameter <name=value>',
      'parameter to set for the trial, as "app set" would in git; =@FILE reads a file (repeatable)',
      collect,
    )
    .option('--app <name>', 'name of the Application for the trial (default: that of the directory)')
    .option('--namespace <namespace>', 'its destination namespace', '')
    .option(
      '--plugin-variables <setting>',
      'variables that the plugin receives, as plugin=ARGOCD_APP_NAME,KUBE_VERSION=1.34.0 (default $WADI_PLUGIN_VARIABLES)',
    )
    .addOption(outputOption('text', 'json', 'yaml'))
    .action((directory: string, flags: TestFlags) => testPlugin(session, directory, flags))
  explain(
    command,
    'Try a plugin on a directory: whether it matches, what it announces and what it generates; no server is needed.',
    [
      'wadi plugin test --plugin plugins/trivial/plugin.yaml -p cm-name-suffix=blue plugins/trivial/example',
      'wadi plugin test --plugin plugin.yaml -o json apps/web',
    ],
  )
  command.addHelpText(
    'after',
    '\nExit codes: 0 generated, 1 the plugin does not match the directory, 20 error. -o json prints {matched, parameters, manifests, warnings}.',
  )
}

async function testPlugin(session: CommandSession, directory: string, flags: TestFlags): Promise<void> {
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  const { tryPlugin } = await import('../plugins/plugin-trial.ts')
  const { readAssignments } = await import('../parameters/parameter-assignment.ts')
  const { checkPluginFiles } = await import('../plugins/plugin-files.ts')
  const { printTrial, trialText } = await import('../plugins/plugin-trial-output.ts')
  const assignments = await readAssignments(flags.parameter ?? [])
  const ofFile = await checkPluginFiles([flags.plugin])
  await using plugins = await openLocalPlugins({ ...flags, plugin: [flags.plugin] }, session)
  const tried = await tryPlugin(
    plugins,
    { directory, ...flags, warn: session.warn },
    assignments,
    session.signal,
  )
  const trial = { ...tried, warnings: [...ofFile, ...tried.warnings] }
  if (flags.output === 'text') await printTrial(trial, session)
  else process.stdout.write(await trialText(trial, flags.output))
  if (!trial.matched) throw new CommandFailure(`plugin ${trial.plugin.name} is not for ${directory}`, 1)
}
