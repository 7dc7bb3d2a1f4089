import net from 'node:net'
import { createConnectTransport } from '@connectrpc/connect-node'
import type { ReplicaConnection } from './replicas/replica-connections.ts'
import type { ServiceIdentity } from './service-identity.ts'
import { ServiceConnection } from './service-connection.ts'
import type { CurrentTls } from './tls-files.ts'
import { traceCallsTo } from './trace.ts'

const pingIntervalMs = 10_000

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
  const path = endpoint.startsWith('unix:') ? endpoint.slice('unix:'.length) : undefined
  const baseUrl = path === undefined ? endpoint : 'http://localhost'
  const sessionManager = new ServiceConnection(baseUrl, () => ({
    pingIntervalMs,
    ...(path === undefined ? options.tls?.() : { createConnection: () => net.connect({ path }) }),
  }))
  const transport = createConnectTransport({
    baseUrl,
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
