import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { ConfigManagementPluginService } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { openServiceBase, serve } from '@wadi/rpc/service-base.ts'
import { type CmpServerContext, noPlugin } from './context.ts'
import { createCmpServerEvents } from './events.ts'
import { type Plugin, readPlugin } from './plugin/plugin.ts'
import { checkPluginConfiguration } from './routes/check-plugin-configuration.ts'
import { generateManifest } from './routes/generate-manifest.ts'
import { getParametersAnnouncement } from './routes/get-parameters-announcement.ts'
import { matchRepository } from './routes/match-repository.ts'
import { RunFolders } from './run/run-folders.ts'
import type { CmpServerSettings } from './settings.ts'

/** Where the sidecars of Argo CD have their plugin. */
const sidecarPluginFile = '/home/argocd/cmp-server/config/plugin.yaml'

/**
 * Starts cmp-server; disposal drains it and removes the files of its runs. Its part of the data folder belongs to one
 * process: what is in it at the start is taken for the left-overs of a crash and removed.
 */
export async function startCmpServer(settings: CmpServerSettings): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const plugin = await configuredPlugin(settings.plugin)
  const listen = listenAddress(settings, plugin)
  const base = await openServiceBase('cmp-server', { ...settings, listen })
  const context: CmpServerContext = {
    plugin,
    runs: owned.use(await RunFolders.create(join(resolve(settings.dataDirectory), 'cmp-server', 'runs'))),
    events: createCmpServerEvents(base.logger, base.metrics),
    limits: {
      compressedBytes: settings.maxArchiveSize,
      extractedBytes: settings.maxExtractedSize,
      entries: settings.maxArchiveEntries,
    },
    commands: {
      timeoutMs: settings.commandTimeout,
      graceMs: settings.commandGrace,
      maxOutputBytes: settings.maxOutputSize,
    },
    environment: process.env,
  }
  context.events.configured(plugin)
  return serve(base, {
    services: [ConfigManagementPluginService],
    routes: (router) => router.service(ConfigManagementPluginService, cmpServerRoutes(context)),
    checks: { plugin: () => (plugin === undefined ? noPlugin : undefined) },
    owned: owned.move(),
    ...(settings.openSocket && { authenticate: [] }),
  })
}

async function configuredPlugin(file: string | undefined): Promise<Plugin | undefined> {
  if (file !== undefined) return readPlugin(file)
  const isThere = await stat(sidecarPluginFile).then(
    () => true,
    () => false,
  )
  return isThere ? readPlugin(sidecarPluginFile) : undefined
}

function listenAddress({ listen, openSocket }: CmpServerSettings, plugin: Plugin | undefined): string {
  if (openSocket && !listen.startsWith('unix:')) {
    throw new InvalidInputError(`--open-socket needs a unix socket to listen on, not "${listen}"`)
  }
  if (!listen.startsWith('unix:') || !listen.endsWith('/')) return listen
  if (plugin === undefined)
    throw new InvalidInputError(`no plugin names the socket in "${listen}"; ${noPlugin}`)
  return `${listen}${plugin.name}.sock`
}

function cmpServerRoutes(context: CmpServerContext): ServiceImpl<typeof ConfigManagementPluginService> {
  return {
    generateManifest: generateManifest(context),
    checkPluginConfiguration: checkPluginConfiguration(context),
    matchRepository: matchRepository(context),
    getParametersAnnouncement: getParametersAnnouncement(context),
  }
}
