import type { DescService } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
import { createLogger, type Logger } from '@wadi/telemetry/logger.ts'
import { createMetrics, type MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { commonSettings } from './common-settings.ts'
import { createServiceClient, type ServiceClient } from './create-client.ts'
import { createHealthRegistry, type ReadinessCheck, type Warning } from './health-registry.ts'
import { createServiceIdentity, loadServiceKey, type ServiceIdentity } from './service-identity.ts'
import type { SettingsOf } from './service-settings.ts'
import { listenForMetrics } from './metrics-listener.ts'
import { type RequestGate, type RunningServer, type ServerOptions, startServer } from './start-server.ts'
import type { TlsFiles } from './tls-files.ts'

type CommonSettings = SettingsOf<typeof commonSettings>

/** What every service has before it serves: its log, its metrics and who it is to the others. */
export interface ServiceBase {
  name: string
  settings: CommonSettings
  logger: Logger
  metrics: MetricsRegistry
  identity: ServiceIdentity
  tls: TlsFiles | undefined
}

/** Sets a service up from its settings; the service key is created when there is none. */
export async function openServiceBase(name: string, settings: CommonSettings): Promise<ServiceBase> {
  const { logLevel: level, logFormat: format, tlsCertFile, tlsKeyFile, tlsCaFile } = settings
  return {
    name,
    settings,
    logger: createLogger({ service: name, level, format }),
    metrics: createMetrics(name),
    identity: createServiceIdentity({ key: await loadServiceKey(settings.serviceKeyFile), service: name }),
    tls:
      tlsCertFile && tlsKeyFile
        ? { certFile: tlsCertFile, keyFile: tlsKeyFile, ...(tlsCaFile && { caFile: tlsCaFile }) }
        : undefined,
  }
}

/** What a service serves and what it holds. */
export interface ServeOptions {
  services: readonly DescService[]
  routes: (router: ConnectRouter, draining: AbortSignal) => void
  /** Disposed after the last call has ended. */
  owned: AsyncDisposableStack
  /** What must be well for the service to take calls, by name. */
  checks?: Readonly<Record<string, ReadinessCheck>>
  /** What `/readyz` reports although the service takes calls, by name. */
  warnings?: Readonly<Record<string, Warning>>
  /** Knows the end user; without it every caller must be a service. */
  authenticate?: RequestGate
  /** What the server does beside its RPCs, see `ServerOptions`. */
  edge?: Pick<ServerOptions, 'httpRoutes' | 'interceptors' | 'crossOrigins' | 'trustedProxies'>
}

/** Serves until disposed; disposal drains the calls in flight and then what the service holds. */
export async function serve(base: ServiceBase, options: ServeOptions): Promise<RunningServer> {
  const { name, settings, logger, metrics, identity, tls } = base
  // A server that cannot start, on a taken port for example, leaves nothing open.
  await using held = options.owned.move()
  const { services, routes, checks, warnings, authenticate, edge } = options
  if (settings.metricsListen !== '') held.use(await listenForMetrics(settings.metricsListen, base))
  const health = createHealthRegistry({
    services: services.map((service) => service.typeName),
    ...(checks && { checks }),
    ...(warnings && { warnings }),
  })
  const server = await startServer({
    name,
    listen: settings.listen,
    routes,
    services,
    health,
    tls,
    limits: { maxMessageBytes: settings.maxMessageSize },
    ...edge,
    metrics,
    logger,
    drainTimeoutMs: settings.drainTimeout,
    ...(authenticate ? { authenticate } : { authenticate: 'service', identity }),
  })
  const owned = held.move()
  return {
    address: server.address,
    port: server.port,
    ready: server.ready,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await owned.disposeAsync()
    },
  }
}

/** A client of another service that calls as this one. */
export async function connectTo<S extends DescService>(
  base: ServiceBase,
  service: S,
  audience: string,
  endpoints: readonly string[],
): Promise<ServiceClient<S>> {
  const { identity, tls, settings } = base
  const limits = { maxMessageBytes: settings.maxMessageSize }
  return createServiceClient(service, { endpoints, identity, audience, tls, limits })
}
