import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { ReplicaAddresses } from './replicas/replica-addresses.ts'
import { type ReplicaConnection, ReplicaConnections } from './replicas/replica-connections.ts'
import type { RouteKeyOf } from './replicas/route.ts'
import { createFailoverTransport } from './failover-transport.ts'
import { ServiceConnection } from './service-connection.ts'
import type { ServiceIdentity } from './service-identity.ts'
import { type CurrentTls, openTlsFiles, type TlsFiles } from './tls-files.ts'
import { traceCallsTo } from './trace.ts'

/** The options of `createServiceClient`. */
export type ServiceClientOptions = {
  /**
   * Replicas of the service, each `http://host:port`, `https://host:port`, `unix:/path`, or `srv+http://name` for all that the SRV
   * records of the name list; and `spare+http://host:port`, which takes calls that reach none of them.
   */
  endpoints: readonly string[]
  /** The identity of the caller. */
  identity: ServiceIdentity
  /** Name of the called service. */
  audience: string
  tls?: TlsFiles | undefined
  limits?: {
    /** Largest message sent or accepted, in bytes. Default: 16 MiB. */
    maxMessageBytes?: number
  }
  /** Returns the key that chooses the replica of a call, so that calls with equal keys reach one replica; by default calls go round. */
  routeKeyOf?: RouteKeyOf
  /** Deadline of calls that give none, in milliseconds; streams of responses have none. Default: 2 minutes. */
  defaultTimeoutMs?: number
}

/** A typed client that throws domain errors and knows how many replicas the service has now. */
export type ReplicatedClient<S extends DescService> = Client<S> & { replicas: () => Promise<number> }

/** A client whose disposal closes its connections and so its calls in flight. */
export type ServiceClient<S extends DescService> = ReplicatedClient<S> & AsyncDisposable

const defaultMaxMessageBytes = 16 * 1024 ** 2
const defaultTimeoutMs = 120_000

/**
 * Creates the client of one service: the Connect protocol over HTTP/2, with identity, trace and pings.
 * When a replica cannot be reached, calls move on to the next one, with jittered pauses; when it fails later, only those of methods
 * that the contract marks as idempotent or without side effects. Breaking out of a stream of responses does not end the call: pass a `signal` and abort.
 */
export async function createServiceClient<S extends DescService>(
  service: S,
  options: ServiceClientOptions,
): Promise<ServiceClient<S>> {
  const tls = options.tls === undefined ? undefined : openTlsFiles(options.tls)
  const replicas = new ReplicaConnections(
    options.audience,
    new ReplicaAddresses(options.audience, options.endpoints),
    (address) =>
      connectEndpoint(address, {
        identity: options.identity,
        audience: options.audience,
        tls,
        maxMessageBytes: options.limits?.maxMessageBytes ?? defaultMaxMessageBytes,
      }),
  )
  const transport = createFailoverTransport({
    replicas,
    service: options.audience,
    defaultTimeoutMs: options.defaultTimeoutMs ?? defaultTimeoutMs,
    routeKeyOf: options.routeKeyOf,
  })
  return Object.assign(createClient(service, transport), {
    replicas: () => replicas.count(),
    [Symbol.asyncDispose]: async () => replicas[Symbol.dispose](),
  })
}

/** A peer that is gone is noticed before another one is ready in its place, which takes some seconds. */
const pings = { pingIntervalMs: 2_000, maxSilenceMs: 20_000 }

/** Opens, on the first call, one HTTP/2 connection to an endpoint; a lost connection is opened again by the next call. */
function connectEndpoint(
  endpoint: string,
  options: {
    identity: ServiceIdentity
    audience: string
    tls: CurrentTls | undefined
    maxMessageBytes: number
  },
): ReplicaConnection {
  const sessionManager = new ServiceConnection(endpoint, () => ({ ...pings, ...options.tls?.() }))
  const transport = createConnectTransport({
    baseUrl: sessionManager.authority,
    httpVersion: '2',
    sessionManager,
    acceptCompression: [],
    readMaxBytes: options.maxMessageBytes,
    writeMaxBytes: options.maxMessageBytes,
    interceptors: [traceCallsTo(options.audience), options.identity.clientInterceptor(options.audience)],
  })
  return {
    transport,
    retire: () => sessionManager.retire(),
    close: () => sessionManager[Symbol.dispose](),
  }
}
