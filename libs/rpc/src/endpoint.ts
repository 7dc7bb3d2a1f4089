import net from 'node:net'
import type { Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import type { ServiceIdentity } from './service-identity.ts'
import { ServiceConnection } from './service-connection.ts'
import type { TlsMaterial } from './tls-files.ts'
import { passTraceOn } from './trace.ts'

const pingIntervalMs = 10_000

/** Opens, on the first call, one HTTP/2 connection to an endpoint; a lost connection is opened again by the next call. */
export function connectEndpoint(
  endpoint: string,
  options: {
    identity: ServiceIdentity
    audience: string
    tls: TlsMaterial | undefined
    maxMessageBytes: number
  },
): { transport: Transport; close: () => void } {
  const path = endpoint.startsWith('unix:') ? endpoint.slice('unix:'.length) : undefined
  const baseUrl = path === undefined ? endpoint : 'http://localhost'
  const sessionManager = new ServiceConnection(baseUrl, {
    pingIntervalMs,
    ...(path === undefined ? options.tls : { createConnection: () => net.connect({ path }) }),
  })
  const transport = createConnectTransport({
    baseUrl,
    httpVersion: '2',
    sessionManager,
    acceptCompression: [],
    readMaxBytes: options.maxMessageBytes,
    writeMaxBytes: options.maxMessageBytes,
    interceptors: [passTraceOn, options.identity.clientInterceptor(options.audience)],
  })
  return { transport, close: () => sessionManager[Symbol.dispose]() }
}
