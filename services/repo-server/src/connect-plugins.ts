import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type ConnectedCommands, openCommands } from '@wadi/plugin-client/open-commands.ts'
import { type ConnectedPlugins, openPlugins } from '@wadi/plugin-client/open-plugins.ts'
import { readPluginVariables } from '@wadi/plugins/variables/granted-variables.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import type { RepoServerSettings } from './settings.ts'

/** The plugins, and the way to the command server; undefined when the operator names none. */
interface Runners {
  readonly plugins: ConnectedPlugins
  readonly commands: ConnectedCommands | undefined
}

/** Connects what renders in other processes. */
export async function connectRunners(
  base: ServiceBase,
  settings: RepoServerSettings,
  owned: AsyncDisposableStack,
): Promise<Runners> {
  const plugins = owned.use(await connectPlugins(base, settings))
  return { plugins, commands: owned.use(await connectCommands(base, settings)) }
}

async function connectPlugins(
  { identity, tls, logger }: ServiceBase,
  settings: RepoServerSettings,
): Promise<ConnectedPlugins> {
  return openPlugins({
    socketDirectory: settings.pluginSockets,
    endpoints: settings.cmpServers,
    required: settings.requiredPlugins,
    variables: pluginVariables(settings),
    identity,
    tls,
    timeoutMs: settings.renderTimeout,
    logger,
  })
}

async function connectCommands(
  { identity, tls }: ServiceBase,
  { commandServer: endpoints, renderTimeout }: RepoServerSettings,
): Promise<ConnectedCommands | undefined> {
  if (endpoints.length === 0) return undefined
  return openCommands({ endpoints, identity, tls, timeoutMs: 2 * renderTimeout })
}

function pluginVariables({ pluginVariables: text }: RepoServerSettings) {
  try {
    return readPluginVariables(text)
  } catch (cause) {
    throw new InvalidInputError(`--plugin-variables (WADI_PLUGIN_VARIABLES): ${errorMessage(cause)}`, {
      cause,
    })
  }
}
