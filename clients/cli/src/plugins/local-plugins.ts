import { mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { GrantedVariables } from '@wadi/plugins/variables/granted-variables.ts'
import type { CommandRunner } from '@wadi/rendering/plan/command-runner.ts'
import { noPlugins, type Plugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { PluginFlags } from './plugin-flags.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { LocalPlugins } from '../render/local-commands.ts'
import { toolDirectory } from '../render/local-policy.ts'

/**
 * Makes plugins, and commands if the user allows them, reachable: those of the files by cmp-servers of this process, as in a mesh, or running ones by their
 * sockets. Disposal ends what was started.
 * @throws CommandFailure when both are asked for, for two plugins of one name and without the directory of sockets;
 *   InvalidInputError for a file that holds no plugin
 */
export async function openLocalPlugins(
  { plugin: files = [], pluginSockets, pluginVariables, runActions = false }: PluginFlags,
  { environment, signal }: Pick<CommandSession, 'environment' | 'signal'>,
): Promise<LocalPlugins & AsyncDisposable> {
  if (files.length > 0 && pluginSockets !== undefined) {
    throw new CommandFailure('--plugin and --plugin-sockets exclude each other', 1)
  }
  signal.throwIfAborted()
  await using owned = new AsyncDisposableStack()
  let sockets = pluginSockets ?? environment['WADI_PLUGIN_SOCKETS']
  if (files.length === 0 && sockets) await checkSocketDirectory(sockets)
  if (files.length > 0) {
    const { checkPluginFiles } = await import('./plugin-files.ts')
    await checkPluginFiles(files)
    const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-plugins-'))).path
    sockets = join(directory, 'sockets')
    const { startPluginServers } = await import('@wadi/mesh/plugin-servers.ts')
    const settings = {
      WADI_OPEN_SOCKET: 'true',
      WADI_LOG_LEVEL: 'error',
      WADI_LOG_FORMAT: 'text',
      // Its default is below the working directory, where somebody else's files are.
      WADI_SERVICE_KEY_FILE: join(directory, 'service.key'),
    }
    const directories = { sockets, dataDirectory: directory, toolDirectory: toolDirectory(environment) }
    owned.use(await startPluginServers({ files, ...directories, environment: settings }))
  }
  const variables = await readVariables(pluginVariables ?? environment['WADI_PLUGIN_VARIABLES'] ?? '')
  const plugins = sockets ? owned.use(await connectPlugins(sockets, variables)) : noPlugins
  const commands = runActions ? owned.use(await connectCommands()) : undefined
  const moved = owned.move()
  return {
    identity: () => plugins.identity(),
    list: (listing) => plugins.list(listing),
    get: (name, getting) => plugins.get(name, getting),
    commands,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

// Their clients are loaded where there is something to connect to.
async function connectPlugins(
  socketDirectory: string,
  variables: Map<string, GrantedVariables>,
): Promise<Plugins & AsyncDisposable> {
  const { openPlugins } = await import('@wadi/plugin-client/open-plugins.ts')
  return await openPlugins({ socketDirectory, variables })
}

async function connectCommands(): Promise<CommandRunner & AsyncDisposable> {
  const { openLocalCommands } = await import('../render/local-commands.ts')
  return await openLocalCommands()
}

async function readVariables(setting: string): Promise<Map<string, GrantedVariables>> {
  if (setting === '') return new Map()
  const { readPluginVariables } = await import('@wadi/plugins/variables/granted-variables.ts')
  try {
    return readPluginVariables(setting)
  } catch (cause) {
    throw new CommandFailure(`--plugin-variables (WADI_PLUGIN_VARIABLES): ${errorMessage(cause)}`, 1, {
      cause,
    })
  }
}

/** Without it sources of plugins would be rendered as something else. */
async function checkSocketDirectory(sockets: string): Promise<void> {
  const description = await stat(sockets, { throwIfNoEntry: false })
  if (description?.isDirectory()) return
  throw new CommandFailure(
    `${sockets} is not a directory of plugin sockets; correct --plugin-sockets or WADI_PLUGIN_SOCKETS`,
  )
}
