import http2, { type Http2ServerRequest } from 'node:http2'
import type { DescService } from '@bufbuild/protobuf'
import { Code, ConnectError, createConnectRouter, createContextValues } from '@connectrpc/connect'
import type { ConnectRouter, ContextValues, HandlerContext, Interceptor } from '@connectrpc/connect'
import type { UniversalHandler } from '@connectrpc/connect/protocol'
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node'
import { Health } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '@wadi/protocol/gen/grpc/reflection/v1/reflection_pb.ts'
import { ServerReflection as ServerReflectionV1Alpha } from '@wadi/protocol/gen/grpc/reflection/v1alpha/reflection_pb.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { SpanSink } from '@wadi/telemetry/span.ts'
import { type ConnectionLimits, defaultConnectionLimits } from './connections/connection-bounds.ts'
import { answerCrossOrigin } from './cross-origin.ts'
import { toConnectError } from './error-mapping.ts'
import { answerUnknownMethod, withStatusInHead } from './grpc-web-status.ts'
import type { HealthRegistry } from './health-registry.ts'
import { recordCall, serverInterceptors } from './interceptors.ts'
import { boundedGzip, compressMinBytes, withAllowedCompression } from './message-compression.ts'
import type { NodeServerRequest, NodeServerResponse } from './node-request.ts'
import { answerOperations } from './operations-endpoints.ts'
import { peerAddress, peerAddressKey } from './peer-address.ts'
import { openPort } from './port-listener.ts'
import { createReflection } from './reflection.ts'
import { bodyOf, discardRest } from './rest-of-request.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { withSizeStatus } from './size-rejection.ts'
import { certifiedService, certifiedServiceKey, verifyServiceIdentity } from './service-gate.ts'
import type { ServiceIdentity } from './service-identity.ts'
import { openTlsFiles } from './tls-files.ts'
import type { TlsFiles } from './tls-files.ts'
import { runInRequestTrace } from './trace.ts'

/** Bounds of a server. */
type ServerLimits = {
  /** Largest message read or written, in bytes. Default: 16 MiB. */
  maxMessageBytes?: number
  /** Calls at a time on one HTTP/2 connection. Default: 256. */
  maxConcurrentStreams?: number
  /** Time for a call whose caller gave no deadline, in milliseconds. Default: 2 minutes. */
  defaultTimeoutMs?: number
  /** Longest time for any call that is not a stream of responses, in milliseconds. Default: 30 minutes. */
  maxTimeoutMs?: number
  /** Longest time for a request that is one message to come in over HTTP/2, in milliseconds. Default: 5 minutes. */
  maxRequestMs?: number
} & Partial<ConnectionLimits>

/** The options of `startServer`. */
export type ServerOptions = {
  /** Name of the service, for log lines. */
  name: string
  /** `host:port`, where port 0 takes a free one, or `unix:/path`. */
  listen: string
  /** Registers the services; streams without a natural end watch `draining` and end with it. */
  routes: (router: ConnectRouter, draining: AbortSignal) => void
  /** The services that reflection describes, besides health and reflection. */
  services: readonly DescService[]
  health: HealthRegistry
  tls?: TlsFiles | undefined
  limits?: ServerLimits
  /** Handles requests that are neither RPC nor operations, webhooks for example; returns whether it did. */
  httpRoutes?: (request: NodeServerRequest, response: NodeServerResponse) => boolean
  /** Interceptors of the server's own, for example an audit log; they see domain errors and the verified caller. */
  interceptors?: readonly Interceptor[]
  /** Origins whose pages may call from a browser. Default: none. */
  crossOrigins?: readonly string[]
  /** Proxies in front of the server that add their peer's address to `X-Forwarded-For`. Default: 0. */
  trustedProxies?: number
  metrics: MetricsRegistry
  logger: Logger
  /** Takes the spans of the service; without it none are recorded. */
  traces?: SpanSink | undefined
  /** Time that calls in flight have on disposal, in milliseconds. Default: 20 s. */
  drainTimeoutMs?: number
} & Authentication

/**
 * Decides whether a call may go on, before its body is read; what it learns goes into the context values. It throws
 * what the caller gets to see.
 */
export type RequestGate = (context: HandlerContext) => Promise<void>

/** `service`: every call but open ones proves that it comes from a service. Otherwise the server's own gate. */
type Authentication =
  | { authenticate: 'service'; identity: ServiceIdentity }
  | { authenticate: RequestGate; identity?: undefined }

/** A server that takes calls until it is disposed. */
export type RunningServer = AsyncDisposable & {
  /** The address for clients: `http://host:port`, `https://host:port` or `unix:/path`. */
  address: string
  /** 0 for a unix socket. */
  port: number
  /** Says whether the service as a whole takes calls: `/readyz` and health follow. True at the start. */
  ready: (ready: boolean) => void
  /** Time that calls in flight have on disposal, in milliseconds. */
  readonly drainTimeoutMs: number
}

const defaultDrainTimeoutMs = 20_000
const defaultLimits = {
  ...defaultConnectionLimits,
  maxMessageBytes: 16 * 1024 ** 2,
  maxConcurrentStreams: 256,
  defaultTimeoutMs: 120_000,
  maxTimeoutMs: 1_800_000,
  // As node:http has it for HTTP/1.1.
  maxRequestMs: 300_000,
}
// Unknown callers ask about health and contracts, and send only names.
const maxPublishedBytes = 64 * 1024
const oneMessageKinds: readonly string[] = ['unary', 'server_streaming']
// After the abort, handlers need a moment to put their last words on the wire.
const lastWordsMs = 250

/** Starts the server of one service: Connect, gRPC, gRPC-web, health, reflection and the operations paths on one port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits = { ...defaultLimits, ...options.limits }
  const draining = new AbortController()
  const shutdown = new AbortController()
  const { drainTimeoutMs = defaultDrainTimeoutMs } = options
  let isReady = true

  const handleRpc = createRpcHandler(options, limits, draining.signal, shutdown.signal)
  const notReady = () => {
    if (draining.signal.aborted) return 'shutting down'
    return isReady ? undefined : 'not ready'
  }
  const isTls = options.tls !== undefined && !options.listen.startsWith('unix:')
  const onRequest = (request: NodeServerRequest, response: NodeServerResponse) => {
    setSecurityHeaders(response, { isTls })
    discardRest(request, response)
    if (answerCrossOrigin(request, response, options.crossOrigins ?? [])) return
    if (handleRpc(request, response)) return
    if (answerOperations(request, response, { ...options, notReady })) return
    if (options.httpRoutes?.(request, response) === true) return
    if (answerUnknownMethod(request, response)) return
    response.writeHead(404)
    response.end()
  }
  const port = await openPort({
    listen: options.listen,
    // Clients speak without TLS on unix sockets, whose permissions decide who gets in.
    tls: options.tls && isTls ? openTlsFiles(options.tls) : undefined,
    limits,
    isBehindProxy: (options.trustedProxies ?? 0) > 0,
    logger: options.logger,
    onRequest: (request, response) => {
      runInRequestTrace(request.headers, () => onRequest(request, response), options.traces)
    },
  })
  options.logger.info({ address: port.address }, 'serving')

  let closed: Promise<void> | undefined
  const close = async () => {
    options.health.retire()
    draining.abort()
    const force = new AbortController()
    const timer = setTimeout(() => {
      options.logger.warn('calls in flight are aborted: the drain deadline is over')
      shutdown.abort(new ConnectError('the server is shutting down', Code.Unavailable))
      setTimeout(() => force.abort(), lastWordsMs)
    }, drainTimeoutMs)
    // Idle connections end before the deadline, which is for calls.
    await port.close(force.signal, Math.min(limits.farewellMs, drainTimeoutMs / 2))
    clearTimeout(timer)
    shutdown.abort(new ConnectError('the server is shutting down', Code.Unavailable))
    options.logger.info('stopped')
  }
  return {
    address: port.address,
    port: port.port,
    ready: (ready) => {
      isReady = ready
      options.health.setServing('', ready)
    },
    drainTimeoutMs,
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
}

function createRpcHandler(
  options: ServerOptions,
  limits: Required<ServerLimits>,
  draining: AbortSignal,
  shutdownSignal: AbortSignal,
): (request: NodeServerRequest, response: NodeServerResponse) => boolean {
  const router = createRouter(options, limits, shutdownSignal)
  options.routes(router, draining)
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]))

  return (request, response) => {
    const handler = handlers.get(request.url?.split('?', 1)[0] ?? '')
    const kind = handler?.method.methodKind ?? 'unary'
    if ('stream' in request && oneMessageKinds.includes(kind)) boundRequest(request, limits.maxRequestMs)
    if (handler === undefined) return false
    const values = callerValues(request, options)
    answerCall(handler, request, response, values).catch((error: unknown) => {
      // Reached by a caller that left and by a request without a usable authority, never by a handler's own error.
      options.logger.debug({ err: error }, 'request could not be answered')
      if (!response.headersSent) response.writeHead(400)
      response.end()
    })
    return true
  }
}

/** A router with health and reflection. */
function createRouter(
  options: ServerOptions,
  limits: Required<ServerLimits>,
  shutdownSignal: AbortSignal,
): ConnectRouter {
  const { name, logger, metrics, health, services } = options
  const router = createConnectRouter({
    acceptCompression: [boundedGzip],
    compressMinBytes,
    // A newer client's field that is ignored could change what the call means.
    jsonOptions: { ignoreUnknownFields: false },
    readMaxBytes: limits.maxMessageBytes,
    writeMaxBytes: limits.maxMessageBytes,
    shutdownSignal,
    interceptors: serverInterceptors({
      name,
      logger,
      metrics,
      timeouts: limits,
      own: options.interceptors ?? [],
    }),
    requestGate: recordedGate(options),
  })
  const publishedLimits = { readMaxBytes: Math.min(limits.maxMessageBytes, maxPublishedBytes) }
  router.service(Health, health.implementation, publishedLimits)
  const described = [...services, Health, ServerReflection]
  router.service(ServerReflection, createReflection(described), publishedLimits)
  // Some generic clients, such as grpcio-reflection, speak the older name alone.
  router.service(ServerReflectionV1Alpha, createReflection(described), publishedLimits)
  return router
}

/** The server's gate; calls that it ends are recorded as interceptors record the others, which never see them. */
function recordedGate(options: ServerOptions): RequestGate {
  const { logger, metrics } = options
  const gate: RequestGate =
    options.authenticate === 'service'
      ? (context) => verifyServiceIdentity(context, options.identity)
      : options.authenticate
  return async (context) => {
    const startedAt = performance.now()
    try {
      await gate(context)
    } catch (thrown) {
      const error = toConnectError(thrown)
      const method = `${context.service.typeName}/${context.method.name}`
      recordCall(logger, metrics, { method, startedAt, error })
      throw error
    }
  }
}

/** Returns the connection's information about the caller. */
function callerValues(request: NodeServerRequest, { tls, trustedProxies = 0 }: ServerOptions): ContextValues {
  const values = createContextValues()
  values.set(peerAddressKey, peerAddress(request, trustedProxies))
  // Without an authority of its own every public one would be trusted, and their names are not ours to judge.
  if (tls?.caFile !== undefined) values.set(certifiedServiceKey, certifiedService(request))
  return values
}

async function answerCall(
  handler: UniversalHandler,
  request: NodeServerRequest,
  response: NodeServerResponse,
  values: ContextValues,
): Promise<void> {
  // Go names a unix socket by its percent-encoded path, which no URL takes as a host.
  if ('stream' in request && !URL.canParse(`http://${request.authority}`))
    request.headers[':authority'] = 'localhost'
  const asked = universalRequestFromNodeRequest(request, response, undefined, values)
  const answer = await handler(withAllowedCompression(handler, { ...asked, body: bodyOf(request) }))
  const sized = await withSizeStatus(answer)
  await universalResponseToNodeResponse(withStatusInHead(request, sized), response)
}

/** Resets a request that is not whole in time: its parts would be kept for as long as its caller likes. */
function boundRequest(request: Http2ServerRequest, timeoutMs: number): void {
  const timer = setTimeout(() => request.stream.close(http2.constants.NGHTTP2_CANCEL), timeoutMs)
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}
