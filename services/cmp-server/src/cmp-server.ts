import { stat } from 'node:fs/promises'
import { availableParallelism, homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { type Containment, openContainment } from '@wadi/containment/containment.ts'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { protectionSummary } from '@wadi/containment/protection.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { PluginDefinition } from '@wadi/plugins/file/plugin.ts'
import { readPlugin } from '@wadi/plugins/file/read-plugin.ts'
import { ConfigManagementPluginService } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { CommandService } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import { scriptRunner } from './commands/script-runner.ts'
import { findYtt } from './commands/ytt.ts'
import { type CmpServerContext, noPlugin } from './context.ts'
import { createCmpServerEvents } from './events.ts'
import { listenAddress } from './listen-address.ts'
import { createDynamicKnowledge } from './plugin/dynamic-knowledge.ts'
import { missingVariables } from './plugin/missing-variables.ts'
import { openPluginIdentity } from './plugin/plugin-identity.ts'
import { checkPluginConfiguration } from './routes/check-plugin-configuration.ts'
import { describeCommands } from './routes/describe-commands.ts'
import { generateManifest } from './routes/generate-manifest.ts'
import { getParametersAnnouncement } from './routes/get-parameters-announcement.ts'
import { matchRepository } from './routes/match-repository.ts'
import { runScript } from './routes/run-script.ts'
import { runYtt } from './routes/run-ytt.ts'
import { lockOwnDirectory } from './lock-own-directory.ts'
import { RunDirectories } from './run/run-directories.ts'
import { createRunSlots } from './run/run-slots.ts'
import type { CmpServerSettings } from './settings.ts'

// Each holds a connection and a received archive.
const maxWaitingCalls = 1_000

/** The file in which the sidecars of Argo CD have their plugin. */
const sidecarPluginFile = '/home/argocd/cmp-server/config/plugin.yaml'

/**
 * Starts cmp-server; disposal drains it and removes the files of its runs. Its part of the data directory belongs to one
 * process: what is in it at the start is taken for the left-overs of a crash and removed, unless another process has it.
 * @param environment the variables that commands inherit; its PATH is where programs are searched
 */
export async function startCmpServer(
  settings: CmpServerSettings,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const configured = await readConfiguredPlugin(settings.plugin)
  const listen = await listenAddress(settings, configured?.plugin)
  const base = await openServiceBase('cmp-server', { ...settings, listen })
  const directories = programDirectories(environment['PATH'], configured && dirname(configured.file))
  const ownDirectory = join(resolve(settings.dataDirectory), 'cmp-server')
  owned.use(await lockOwnDirectory(ownDirectory))
  const runs = owned.use(await RunDirectories.create(join(ownDirectory, 'runs')))
  const containment = owned.use(
    await containCommands(base, settings, join(ownDirectory, 'containment'), environment['PATH']),
  )
  const commands = {
    containment,
    timeoutMs: settings.commandTimeout,
    graceMs: settings.commandGrace,
    maxOutputBytes: settings.maxOutputSize,
  }
  const context: CmpServerContext = {
    ...(await openPlugin(configured, directories, settings.pluginImage)),
    image: settings.pluginImage,
    runs,
    slots: createRunSlots(concurrentRuns(settings), maxWaitingCalls),
    events: createCmpServerEvents(base.logger, base.metrics),
    limits: {
      compressedBytes: settings.maxArchiveSize,
      extractedBytes: settings.maxExtractedSize,
      entries: settings.maxArchiveEntries,
    },
    commands,
    scripts: scriptRunner(settings.runScripts, containment, directories),
    ytt: await findYtt({ programDirectories: directories, runs, commands }),
    environment: handedDown(environment),
    programDirectories: directories,
  }
  recordStart(context)
  return await serve(base, {
    services: [ConfigManagementPluginService, CommandService],
    routes: (router) =>
      router
        .service(ConfigManagementPluginService, pluginRoutes(context))
        .service(CommandService, commandRoutes(context)),
    checks: { plugin: () => (isUseful(context) ? undefined : notUseful(settings, context)) },
    owned: owned.move(),
    // Whoever may open the socket may call, as with Argo CD's sidecars.
    ...(settings.openSocket && { authenticate: () => Promise.resolve() }),
  })
}

/** A plugin and the file that configures it. */
interface ConfiguredPlugin {
  readonly file: string
  readonly plugin: PluginDefinition
}

/** Reads the plugin of the settings, else that of a sidecar; undefined without one. */
async function readConfiguredPlugin(setting: string | undefined): Promise<ConfiguredPlugin | undefined> {
  const file = await pluginFile(setting)
  return file === undefined ? undefined : { file, plugin: await readPlugin(file) }
}

async function pluginFile(file: string | undefined): Promise<string | undefined> {
  if (file !== undefined) return resolve(file)
  const isThere = await stat(sidecarPluginFile).then(
    () => true,
    () => false,
  )
  return isThere ? sidecarPluginFile : undefined
}

async function openPlugin(
  configured: ConfiguredPlugin | undefined,
  directories: readonly string[],
  image: string,
): Promise<Pick<CmpServerContext, 'plugin' | 'consistsOf' | 'missingVariables' | 'dynamicKnowledge'>> {
  const dynamicKnowledge = createDynamicKnowledge()
  if (configured === undefined) {
    const nothing = async () => ''
    const consistsOf = { identity: nothing, programDigest: nothing }
    return { plugin: undefined, consistsOf, missingVariables: nothing, dynamicKnowledge }
  }
  const { file, plugin } = configured
  return {
    plugin,
    consistsOf: await openPluginIdentity(file, plugin, directories, image),
    missingVariables: missingVariables(file, plugin),
    dynamicKnowledge,
  }
}

async function containCommands(
  { logger }: ServiceBase,
  settings: CmpServerSettings,
  directory: string,
  servicePath: string | undefined,
): Promise<Containment> {
  const containment = await openContainment({
    directory: directory,
    memoryBytes: settings.renderMemory,
    programDirectories: pathDirectories(servicePath),
    hidden: hiddenFromScripts(settings),
    warn: (message) => logger.warn(message),
  })
  logger.info(protectionSummary(containment.protections), 'protections of commands')
  return containment
}

function recordStart({ events, plugin, scripts, ytt }: CmpServerContext): void {
  events.configured(plugin)
  if (process.pid === 1) events.isFirstProcess()
  events.runs({ scripts: scripts.refusedBecause || 'yes', ytt: ytt.version || 'none' })
}

function isUseful({ plugin, scripts, ytt }: CmpServerContext): boolean {
  return plugin !== undefined || scripts.refusedBecause === '' || ytt.file !== ''
}

function concurrentRuns({ maxConcurrentRuns = 2 * availableParallelism() }: CmpServerSettings): number {
  if (maxConcurrentRuns > 0) return maxConcurrentRuns
  throw new InvalidInputError('--max-concurrent-runs must be at least 1')
}

/** Returns the variables that commands inherit: all but the service's own configuration. */
function handedDown(environment: NodeJS.ProcessEnv): Map<string, string> {
  const variables = new Map<string, string>()
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !/^(?:WADI|OTEL)_/.test(name)) variables.set(name, value)
  }
  return variables
}

function commandRoutes(context: CmpServerContext): ServiceImpl<typeof CommandService> {
  return {
    describeCommands: describeCommands(context),
    runScript: runScript(context),
    runYtt: runYtt(context),
  }
}

/** Returns the directories and files of this user and the service that scripts must not see. */
function hiddenFromScripts(settings: CmpServerSettings): string[] {
  const { listen, dataDirectory, serviceKeyFile, serviceTokensDirectory, tlsKeyFile } = settings
  return [
    homedir(),
    tmpdir(),
    '/home',
    '/root',
    '/var/tmp',
    '/var/run',
    dataDirectory,
    serviceKeyFile,
    serviceTokensDirectory,
    tlsKeyFile ?? '',
    listen.startsWith('unix:') ? dirname(listen.slice('unix:'.length)) : '',
  ]
    .filter((place) => place !== '')
    .map((place) => resolve(place))
}

function notUseful({ runScripts }: CmpServerSettings, { scripts, ytt }: CmpServerContext): string {
  return [noPlugin, ...(runScripts === 'deny' ? [] : [scripts.refusedBecause]), ytt.absentBecause].join('; ')
}

function pluginRoutes(context: CmpServerContext): ServiceImpl<typeof ConfigManagementPluginService> {
  return {
    generateManifest: generateManifest(context),
    checkPluginConfiguration: checkPluginConfiguration(context),
    matchRepository: matchRepository(context),
    getParametersAnnouncement: getParametersAnnouncement(context),
  }
}

/**
 * The directories in which programs are looked up by their names: those of the service's own PATH and then the plugin's, so
 * that a plugin can bring its program along. The PATH of a command's environment is not to decide what runs.
 */
function programDirectories(servicePath: string | undefined, pluginDirectory: string | undefined): string[] {
  const directories = pluginDirectory === undefined ? [] : [pluginDirectory]
  return [...pathDirectories(servicePath), ...directories.filter((directory) => isAbsolute(directory))]
}
