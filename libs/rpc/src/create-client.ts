import type { DescService } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import type { Client } from '@connectrpc/connect'
import { connectEndpoint } from './endpoint.ts'
import { createFailoverTransport } from './failover-transport.ts'
import type { ServiceIdentity } from './service-identity.ts'
import { readTlsFiles } from './tls-files.ts'
import type { TlsFiles } from './tls-files.ts'

/** What `createServiceClient` needs. */
export type ServiceClientOptions = {
  /** Replicas of the service, each `http://host:port`, `https://host:port` or `unix:/path`; calls go round. */
  endpoints: readonly string[]
  /** Who calls. */
  identity: ServiceIdentity
  /** Name of the called service. */
  audience: string
  tls?: TlsFiles | undefined
  limits?: {
    /** Largest message sent or accepted, in bytes. Default: 16 MiB. */
    maxMessageBytes?: number
  }
  /** Deadline of calls that give none, in milliseconds; streams of responses have none. Default: 2 minutes. */
  defaultTimeoutMs?: number
}

/** A typed client that throws domain errors; disposal closes its connections and so its calls in flight. */
export type ServiceClient<S extends DescService> = Client<S> & AsyncDisposable

const defaultMaxMessageBytes = 16 * 1024 ** 2
const defaultTimeoutMs = 120_000

/**
 * Creates the client of one service: the Connect protocol over HTTP/2, with identity, trace and pings.
 * When an endpoint is unavailable, methods that the contract marks as idempotent or without side effects move on to the
 * next one, with jittered pauses. Breaking out of a stream of responses does not end the call: pass a `signal` and abort.
 */
export async function createServiceClient<S extends DescService>(
  service: S,
  options: ServiceClientOptions,
): Promise<ServiceClient<S>> {
  const tls = options.tls === undefined ? undefined : await readTlsFiles(options.tls)
  const connections = options.endpoints.map((endpoint) =>
    connectEndpoint(endpoint, {
      identity: options.identity,
      audience: options.audience,
      tls,
      maxMessageBytes: options.limits?.maxMessageBytes ?? defaultMaxMessageBytes,
    }),
  )
  const transport = createFailoverTransport({
    transports: connections.map((connection) => connection.transport),
    service: options.audience,
    defaultTimeoutMs: options.defaultTimeoutMs ?? defaultTimeoutMs,
  })
  return Object.assign(createClient(service, transport), {
    [Symbol.asyncDispose]: async () => {
      for (const connection of connections) connection.close()
    },
  })
}
