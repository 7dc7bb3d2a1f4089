import { join, resolve } from 'node:path'
import { startApiGateway } from '@wadi/api-gateway/api-gateway.ts'
import { newAdminToken } from '@wadi/api-gateway/authentication/admin-token.ts'
import { apiGatewaySettings } from '@wadi/api-gateway/settings.ts'
import { startAppsetService } from '@wadi/appset-service/appset-service.ts'
import { appsetServiceSettings } from '@wadi/appset-service/settings.ts'
import { startCommitServer } from '@wadi/commit-server/commit-server.ts'
import { commitServerSettings } from '@wadi/commit-server/settings.ts'
import { openOwnedDirectory } from '@wadi/containment/owned-directory.ts'
import { type HydratorOverrides, startHydrator } from '@wadi/hydrator/hydrator.ts'
import { hydratorSettings } from '@wadi/hydrator/settings.ts'
import { type RepoServerOverrides, startRepoServer } from '@wadi/repo-server/repo-server.ts'
import { repoServerSettings } from '@wadi/repo-server/settings.ts'
import { tryAddress } from '@wadi/rpc/port-listener.ts'
import { loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { answerWhileStarting } from './answer-while-starting.ts'
import { startCommandServer } from './command-server.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { startPluginServers } from './plugin-servers.ts'

/** Options of the services in one process. */
export interface MeshOptions {
  /** Directory for everything that is kept on disk. */
  dataDirectory: string
  /** Address of the gateway, `host:port`; port 0 takes a free one. */
  listen: string
  /** Token of the administrator, at least 32 characters; by default one is made for this start. */
  adminToken?: string
  /** Redis for the queue; without it the queue is in the process. */
  redis?: string
  /** Files with a ConfigManagementPlugin each; a cmp-server is started for every one. */
  plugins?: readonly string[]
  /** The value of cmp-server's `--run-scripts` for actions of packages; by default that of the environment. */
  runScripts?: string | undefined
  /** Environment with further settings of the services, under the names that each service's `--help` lists. */
  environment?: Readonly<Record<string, string>>
  /** Ends a start that waits for the cluster. */
  signal?: AbortSignal
  /** For tests. */
  hydrator?: HydratorOverrides
  repoServer?: RepoServerOverrides
}

/** The services in one process. */
export interface Mesh extends AsyncDisposable {
  /** Address of the gateway, `http://host:port`. */
  address: string
  /** Token that the gateway takes from the administrator. */
  adminToken: string
  /** Time that calls to the gateway in flight have on disposal, in milliseconds. */
  drainTimeoutMs: number
}

/**
 * Starts the services side by side in this process. They talk RPC as in any other deployment, over unix sockets in a
 * directory that only this user can open. Disposal stops them in the order of their callers.
 */
export async function startMesh(options: MeshOptions): Promise<Mesh> {
  await using services = new AsyncDisposableStack()
  // The gateway starts last, and the others may unpack renderers first.
  await tryAddress(options.listen)
  const dataDirectory = resolve(options.dataDirectory)
  services.use(await lockDataDirectory(dataDirectory))
  // In a pod too it is that of all services, which are in this process.
  await loadServiceKey(join(dataDirectory, 'service.key'))
  // A socket's path may have about 100 bytes, which a data directory may exceed.
  const { path: sockets } = services.use(await openOwnedDirectory('wadi-run-'))
  const socket = (service: string): string => `unix:${join(sockets, `${service}.sock`)}`
  const pluginSockets = options.environment?.['WADI_PLUGIN_SOCKETS'] ?? join(sockets, 'plugins')
  const givenCommandServer = options.environment?.['WADI_COMMAND_SERVER']
  const commandServer = givenCommandServer ?? socket('commands')
  const adminToken = options.adminToken ?? newAdminToken()
  // One address cannot be that of all: it shows the numbers of the gateway.
  const { WADI_METRICS_LISTEN: metricsListen = '', ...given } = options.environment ?? {}
  const environment = {
    ...given,
    WADI_DATA_DIR: dataDirectory,
    WADI_SERVICE_KEY_FILE: join(dataDirectory, 'service.key'),
    WADI_INSTANCE: 'local',
    WADI_REPO_SERVERS: socket('repo-server'),
    WADI_COMMIT_SERVERS: socket('commit-server'),
    WADI_HYDRATORS: socket('hydrator'),
    WADI_APPSET_SERVICES: socket('appset-service'),
    WADI_PLUGIN_SOCKETS: pluginSockets,
    WADI_COMMAND_SERVER: commandServer,
    WADI_ADMIN_TOKEN: adminToken,
    WADI_AUDIT_FILE: options.environment?.['WADI_AUDIT_FILE'] ?? join(dataDirectory, 'audit.log'),
    ...(options.redis !== undefined && { WADI_REDIS_URL: options.redis }),
  }
  const files = options.plugins ?? []
  // The one of repo-server, so that nothing is unpacked twice.
  const toolDirectory = join(dataDirectory, 'repo-server', 'tools')
  services.use(
    await startPluginServers({ files, sockets: pluginSockets, dataDirectory, toolDirectory, environment }),
  )
  if (givenCommandServer === undefined) {
    services.use(
      await startCommandServer({
        listen: commandServer,
        // All of it, as it is what is hidden from scripts.
        dataDirectory,
        runScripts: options.runScripts,
        environment,
      }),
    )
  }
  const gateway = await startServices(services, { options, environment, metricsListen, socket })
  const owned = services.move()
  const { address, drainTimeoutMs } = gateway
  return { address, adminToken, drainTimeoutMs, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Starts what others call before its callers, the gateway last; what runs is added to `services`. */
async function startServices(
  services: AsyncDisposableStack,
  {
    options,
    environment,
    metricsListen,
    socket,
  }: {
    options: MeshOptions
    environment: Readonly<Record<string, string>>
    metricsListen: string
    socket: (service: string) => string
  },
): Promise<RunningServer> {
  const at = (listen: string) => ({ env: { ...environment, WADI_LISTEN: listen }, argv: [] })
  const edge = at(options.listen)
  const gatewaySettings = readSettings(apiGatewaySettings, {
    ...edge,
    env: { ...edge.env, WADI_METRICS_LISTEN: metricsListen },
  })
  const { signal } = options
  const waiting = services.use(await answerWhileStarting(gatewaySettings, socket))
  const repoServer = readSettings(repoServerSettings, at(socket('repo-server')))
  services.use(await startRepoServer(repoServer, { ...(signal && { signal }), ...options.repoServer }))
  const commitServer = readSettings(commitServerSettings, at(socket('commit-server')))
  services.use(await startCommitServer(commitServer, signal))
  const hydrator = readSettings(hydratorSettings, at(socket('hydrator')))
  services.use(await startHydrator(hydrator, { ...(signal && { signal }), ...options.hydrator }))
  const appsetService = readSettings(appsetServiceSettings, at(socket('appset-service')))
  services.use(await startAppsetService(appsetService, signal))
  await waiting[Symbol.asyncDispose]()
  return services.use(await startApiGateway(gatewaySettings, signal))
}
