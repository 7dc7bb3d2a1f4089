import { chmod, rm } from 'node:fs/promises'
import { once } from 'node:events'
import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import type { Socket } from 'node:net'
import type { NodeServerRequest, NodeServerResponse } from '@connectrpc/connect-node'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { TlsMaterial } from './tls-files.ts'

/** A port that answers HTTP/1.1 and HTTP/2. */
export type PortListener = {
  /** What a client connects to: `http://host:port`, `https://host:port` or `unix:/path`. */
  address: string
  /** 0 for a unix socket. */
  port: number
  /** Stops accepting, waits for the requests in flight and closes; sockets still open when `force` aborts are destroyed. */
  close: (force: AbortSignal) => Promise<void>
}

type RequestHandler = (request: NodeServerRequest, response: NodeServerResponse) => void

const firstBytesTimeoutMs = 10_000

/**
 * Listens on `host:port` or `unix:/path` (mode 0600). Without TLS the first bytes tell HTTP/2 with prior knowledge from
 * HTTP/1.1; with TLS, ALPN does.
 */
export async function openPort(options: {
  listen: string
  tls: TlsMaterial | undefined
  maxConcurrentStreams: number
  onRequest: RequestHandler
}): Promise<PortListener> {
  const sockets = new Set<Socket>()
  const sessions = new Set<http2.ServerHttp2Session>()
  const http1Requests = new Map<Socket, number>()
  let closing = false

  const endIfIdle = (socket: Socket) => {
    if (closing && !http1Requests.has(socket)) socket.destroySoon()
  }
  const onRequest: RequestHandler = (request, response) => {
    if (!('stream' in request)) countHttp1(request, response)
    options.onRequest(request, response)
  }
  const countHttp1 = ({ socket }: IncomingMessage, response: NodeServerResponse) => {
    http1Requests.set(socket, (http1Requests.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (http1Requests.get(socket) ?? 1) - 1
      if (left > 0) http1Requests.set(socket, left)
      else http1Requests.delete(socket)
      endIfIdle(socket)
    })
  }

  const settings = { maxConcurrentStreams: options.maxConcurrentStreams }
  const server = options.tls
    ? http2.createSecureServer(
        // A caller without certificate may still have a token: identity decides, not the handshake.
        { ...options.tls, allowHTTP1: true, settings, requestCert: true, rejectUnauthorized: false },
        onRequest,
      )
    : twoProtocolServer(onRequest, settings, (session) => track(sessions, session))
  server.on('session', (session: http2.ServerHttp2Session) => track(sessions, session))
  server.on('connection', (socket: Socket) => track(sockets, socket))
  server.on('secureConnection', (socket: Socket) => track(sockets, socket))

  const { path, host, port } = parseListenAddress(options.listen)
  if (path !== undefined) await removeStaleSocket(path)
  server.listen(path === undefined ? { host, port } : { path })
  await once(server, 'listening')
  if (path !== undefined) await chmod(path, 0o600)

  return {
    ...boundAddress(server.address(), options.tls !== undefined),
    close: async (force) => {
      closing = true
      const closed = once(server, 'close')
      const destroyAll = () => {
        for (const socket of sockets) socket.destroy()
      }
      server.close()
      for (const session of sessions) session.close()
      for (const socket of sockets) {
        const isHttp2 = [...sessions].some((session) => !session.destroyed && isSocketOf(session, socket))
        if (!isHttp2) endIfIdle(socket)
      }
      if (force.aborted) destroyAll()
      else force.addEventListener('abort', destroyAll, { once: true })
      await closed
      force.removeEventListener('abort', destroyAll)
    },
  }
}
