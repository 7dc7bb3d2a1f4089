import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import net from 'node:net'
import type { Socket } from 'node:net'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { ConnectionLimits } from './connections/connection-bounds.ts'
import { OpenConnections } from './connections/open-connections.ts'
import { createPeerLedger } from './connections/peer-ledger.ts'
import { guardSession } from './connections/session-guard.ts'
import type { RequestHandler } from './node-request.ts'
import type { CurrentTls } from './tls-files.ts'
import { createPlainServer, createTlsServer } from './two-protocol-server.ts'

/** A port that answers HTTP/1.1 and HTTP/2. */
export type PortListener = {
  /** The address for clients: `http://host:port`, `https://host:port` or `unix:/path`. */
  address: string
  /** 0 for a unix socket. */
  port: number
  /**
   * Stops accepting, takes leave of every connection, waits for the requests in flight and closes. Connections without a request
   * end after `farewellMs`; when `force` aborts, open sockets are destroyed.
   */
  close: (force: AbortSignal, farewellMs: number) => Promise<void>
}

/**
 * Listens on `host:port`, where port 0 takes a free one, or on `unix:/path` with mode 0600. Connections that go beyond
 * their bounds are ended (`connections/connection-bounds.ts`).
 */
export async function openPort(options: {
  listen: string
  tls: CurrentTls | undefined
  limits: ConnectionLimits & { maxConcurrentStreams: number }
  /** True if connections come from proxies, each with those of many clients, so that nothing is counted by address. */
  isBehindProxy: boolean
  onRequest: RequestHandler
  logger: Logger
}): Promise<PortListener> {
  const connections = new OpenConnections()
  const onRequest: RequestHandler = (request, response) => {
    if ('stream' in request) answerUnlessReset(request.stream, () => options.onRequest(request, response))
    else {
      connections.countRequest(request.socket, response)
      options.onRequest(request, response)
    }
  }
  const peers = createPeerLedger(options.limits.maxPeerConnections)
  const onSession = (session: ServerHttp2Session) => {
    const { remoteAddress } = session.socket
    connections.addSession(session)
    guardSession(session, options.limits, (reason) => {
      options.logger.warn({ peer: remoteAddress, reason }, 'a connection was ended')
      peers.strike(remoteAddress)
    })
  }
  const events = {
    onRequest,
    onSession,
    onHttp1Socket: (socket: Socket) => connections.addHttp1Socket(socket),
    onHttp2Socket: (socket: Socket) => connections.leaveHttp1(socket),
    admits: (socket: Socket) => options.isBehindProxy || peers.admits(socket),
  }
  const serverOptions = {
    settings: { maxConcurrentStreams: options.limits.maxConcurrentStreams },
    firstCallMs: options.limits.firstCallMs,
    keepAliveMs: options.limits.keepAliveMs,
  }
  const server = options.tls
    ? createTlsServer(options.tls, serverOptions, events)
    : createPlainServer(serverOptions, events)
  server.on('connection', (socket: Socket) => connections.addSocket(socket))
  await listenOn(server, options.listen)
  return {
    ...boundAddress(server.address(), options.tls === undefined ? 'http' : 'https'),
    close: async (force, farewellMs) => {
      const closed = once(server, 'close')
      server.close()
      connections.end(force, farewellMs)
      await closed
      connections.ended(force)
    },
  }
}

/**
 * Listens on an address and leaves it again, so that one that cannot be had is an error before all that takes time.
 * @throws InvalidInputError for what is not an address, FailedPreconditionError for one that is in use
 */
export async function tryAddress(listen: string): Promise<void> {
  const server = net.createServer()
  await listenOn(server, listen)
  const closed = once(server, 'close')
  server.close()
  await closed
}

/** Listens with a socket file that only its user may open. */
async function listenOn(server: net.Server, address: string): Promise<void> {
  const target = parseListenAddress(address)
  if ('path' in target) await removeStaleSocket(target.path)
  server.listen(target)
  try {
    await once(server, 'listening')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) throw cause
    throw new FailedPreconditionError(
      `cannot listen on ${address}: the address is in use; end what listens there, or give another with --listen (that of metrics with --metrics-listen)`,
      { code: cause.code, cause },
    )
  }
  if ('path' in target) await chmod(target.path, 0o600)
}

/**
 * Answers in the next turn of the event loop what is still wanted then: a stream that is reset in the packet that opened
 * it costs no work.
 */
function answerUnlessReset(stream: ServerHttp2Stream, onRequest: () => void): void {
  setImmediate(() => {
    if (!stream.aborted && !stream.destroyed) onRequest()
  })
}

function parseListenAddress(listen: string): { path: string } | { host: string; port: number } {
  if (listen.startsWith('unix:/')) return { path: listen.slice('unix:'.length) }
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]/]+)):(\d{1,5})$/i.exec(listen) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535) {
    throw new InvalidInputError(`cannot listen on "${listen}": expected host:port, [ipv6]:port or unix:/path`)
  }
  return { host, port: Number(port) }
}

function boundAddress(
  bound: net.AddressInfo | string | null,
  scheme: string,
): { address: string; port: number } {
  if (bound === null || typeof bound === 'string') return { address: `unix:${bound ?? ''}`, port: 0 }
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return { address: `${scheme}://${host}:${bound.port}`, port: bound.port }
}

/** Removes the socket file that a killed process left; one that a live process answers on stays. */
async function removeStaleSocket(path: string): Promise<void> {
  const probe = net.connect({ path })
  const answer = await new Promise<string>((resolve) => {
    probe.once('connect', () => resolve('connected'))
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
  })
  probe.destroy()
  if (answer === 'ECONNREFUSED') await rm(path)
}
