import { createConnectTransport } from '@connectrpc/connect-node'
import type { ReplicaConnection } from './replicas/replica-connections.ts'
import type { ServiceIdentity } from './service-identity.ts'
import { ServiceConnection } from './service-connection.ts'
import type { CurrentTls } from './tls-files.ts'
import { traceCallsTo } from './trace.ts'

/** A peer that is gone is noticed before another one is ready in its place, which takes some seconds. */
const pings = { pingIntervalMs: 2_000, maxSilenceMs: 20_000 }

/** Opens, on the first call, one HTTP/2 connection to an endpoint; a lost connection is opened again by the next call. */
export function connectEndpoint(
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
