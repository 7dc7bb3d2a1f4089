import { resolve } from 'node:path'
import type { DescService } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
import { refuseIncomplete } from '@wadi/errors/unusable-directory.ts'
import { createLogger, keptLines, type Logger } from '@wadi/telemetry/logger.ts'
import { createMetrics, type MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { OtlpExporter } from '@wadi/telemetry/otlp-exporter.ts'
import type { commonSettings } from './common-settings.ts'
import { createServiceClient, type ServiceClient } from './create-client.ts'
import type { Diagnosed } from './diagnostics/service-report.ts'
import {
  createHealthRegistry,
  type HealthRegistry,
  type ReadinessCheck,
  type Warning,
} from './health-registry.ts'
import { createServiceIdentity, loadServiceKey, type ServiceIdentity } from './service-identity.ts'
import type { RouteKeyOf } from './replicas/route.ts'
import type { SettingsOf } from './service-settings.ts'
import { listenForMetrics } from './metrics-listener.ts'
import { type RequestGate, type RunningServer, type ServerOptions, startServer } from './start-server.ts'
import type { TlsFiles } from './tls-files.ts'

type CommonSettings = SettingsOf<typeof commonSettings>

/** The parts that every service has before it serves: its log, its metrics and its identity. */
export interface ServiceBase {
  name: string
  settings: CommonSettings
  logger: Logger
  /** Returns the last lines of the log, the oldest first. */
  recentLines: () => string[]
  metrics: MetricsRegistry
  identity: ServiceIdentity
  tls: TlsFiles | undefined
  /** Takes the spans of the service; undefined where none are recorded. */
  traces: OtlpExporter | undefined
}

/** The kubelet sets this for every container. */
const podVariable = 'KUBERNETES_SERVICE_HOST'

/**
 * Sets a service up from its settings; the service key is created when there is none, but not in a pod.
 * @param settings with the kubeconfig of a service that has that setting
 * @throws FailedPreconditionError when the data directory is not restored to the end
 */
export async function openServiceBase(
  name: string,
  settings: CommonSettings & { readonly kubeconfig?: string | undefined },
): Promise<ServiceBase> {
  refuseIncomplete(resolve(settings.dataDirectory))
  const { logLevel: level, logFormat: format, tlsCertFile, tlsKeyFile, tlsCaFile } = settings
  const identity = await openIdentity(name, settings)
  const { keep, recentLines } = keptLines()
  const write = (line: string) => {
    process.stderr.write(line)
    keep(line)
  }
  const logger = createLogger({ service: name, level, format, write })
  return {
    name,
    settings,
    logger,
    recentLines,
    traces: await openTraces(name, settings, logger),
    metrics: createMetrics(name),
    identity,
    tls:
      tlsCertFile && tlsKeyFile
        ? { certFile: tlsCertFile, keyFile: tlsKeyFile, ...(tlsCaFile && { caFile: tlsCaFile }) }
        : undefined,
  }
}

async function openIdentity(
  service: string,
  settings: CommonSettings & { readonly kubeconfig?: string | undefined },
): Promise<ServiceIdentity> {
  if (settings.serviceIdentity === 'accounts') {
    const { openAccountIdentity } = await import('./accounts/open-account-identity.ts')
    return openAccountIdentity(service, settings)
  }
  const key = await loadServiceKey(settings.serviceKeyFile, process.env[podVariable] === undefined)
  return createServiceIdentity({ key, service })
}

async function openTraces(
  service: string,
  { otlpEndpoint: endpoint, otlpHeaders, otlpResourceAttributes }: CommonSettings,
  logger: Logger,
): Promise<OtlpExporter | undefined> {
  if (endpoint === '') return undefined
  const { OtlpExporter } = await import('@wadi/telemetry/otlp-exporter.ts')
  return new OtlpExporter({
    endpoint,
    headers: otlpHeaders ?? '',
    resourceAttributes: otlpResourceAttributes,
    service,
    onError: (err) => logger.warn({ err }, 'traces cannot be sent'),
  })
}

/** The RPCs and resources of a service. */
export interface ServeOptions {
  services: readonly DescService[]
  routes: (router: ConnectRouter, draining: AbortSignal) => void
  /** Disposed after the last call has ended. */
  owned: AsyncDisposableStack
  /** The conditions for taking calls, by name. */
  checks?: Readonly<Record<string, ReadinessCheck>>
  /** The warnings that `/readyz` reports although the service takes calls, by name. */
  warnings?: Readonly<Record<string, Warning>>
  /** Has the gateway ask what is wrong; without it the service does not answer that. */
  diagnosed?: Diagnosed
  /** Knows the end user; without it every caller must be a service. */
  authenticate?: RequestGate
  /** The server's other routes and options, see `ServerOptions`. */
  edge?: Pick<ServerOptions, 'httpRoutes' | 'interceptors' | 'crossOrigins' | 'trustedProxies' | 'limits'>
}

/** Serves until disposed; disposal drains the calls in flight and then what the service holds. */
export async function serve(base: ServiceBase, options: ServeOptions): Promise<RunningServer> {
  const { name, settings, logger, metrics, identity, tls, traces } = base
  // A server that cannot start, on a taken port for example, leaves nothing open.
  await using held = options.owned.move()
  const { checks, warnings, authenticate, edge } = options
  if (settings.metricsListen !== '') held.use(await listenForMetrics(settings.metricsListen, base))
  const callers = authenticate === undefined ? identity.check : undefined
  // Read now, the keys of callers last through an outage that begins before the first call.
  Promise.resolve(callers?.(new AbortController().signal)).catch(() => undefined)
  const diagnosis = options.diagnosed && (await openDiagnostics(base, options.diagnosed))
  const services = diagnosis ? [...options.services, diagnosis.service] : options.services
  const health = createHealthRegistry({
    services: services.map((service) => service.typeName),
    checks: { ...checks, ...(callers && { callers }) },
    ...(warnings && { warnings }),
  })
  const server = await startServer({
    name,
    listen: settings.listen,
    routes: (router, draining) => {
      options.routes(router, draining)
      diagnosis?.route(router, health)
    },
    services,
    health,
    tls,
    ...edge,
    limits: { maxMessageBytes: settings.maxMessageSize, ...edge?.limits },
    metrics,
    logger,
    traces,
    drainTimeoutMs: settings.drainTimeout,
    ...(authenticate ? { authenticate } : { authenticate: 'service', identity }),
  })
  const owned = held.move()
  return {
    address: server.address,
    port: server.port,
    ready: server.ready,
    drainTimeoutMs: server.drainTimeoutMs,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await owned.disposeAsync()
      await traces?.[Symbol.asyncDispose]()
    },
  }
}

/** The service that reports how this one is; the code for it is loaded when somebody asks. */
async function openDiagnostics(base: ServiceBase, diagnosed: Diagnosed) {
  const { ServiceDiagnosticsService: service } =
    await import('@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts')
  const route = (router: ConnectRouter, health: HealthRegistry) =>
    router.service(service, {
      diagnose: async (request, { signal }) => {
        const { serviceReport } = await import('./diagnostics/service-report.ts')
        return { report: await serviceReport(base, health, diagnosed, request, signal) }
      },
    })
  return { service, route }
}

/** A client of another service that calls as this one; see `createServiceClient` for the addresses and the key. */
export async function connectTo<S extends DescService>(
  base: ServiceBase,
  service: S,
  audience: string,
  endpoints: readonly string[],
  routeKeyOf?: RouteKeyOf,
): Promise<ServiceClient<S>> {
  const { identity, tls, settings } = base
  const limits = { maxMessageBytes: settings.maxMessageSize }
  return createServiceClient(service, {
    endpoints,
    identity,
    audience,
    tls,
    limits,
    ...(routeKeyOf && { routeKeyOf }),
  })
}
