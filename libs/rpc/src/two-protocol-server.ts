import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { sessionBounds } from './connections/connection-bounds.ts'
import type { RequestHandler } from './node-request.ts'
import { securityHeaders } from './security-headers.ts'
import type { CurrentTls } from './tls-files.ts'

/** The events of the connections that a server accepts. */
type ConnectionEvents = {
  onRequest: RequestHandler
  onSession: (session: http2.ServerHttp2Session) => void
  /** Called for each connection that has not turned out to speak HTTP/2, and so may be ended between two requests. */
  onHttp1Socket: (socket: Socket) => void
  /** Takes back `onHttp1Socket`. */
  onHttp2Socket: (socket: Socket) => void
  /** Returns true if a new connection is accepted. */
  admits: (socket: Socket) => boolean
}

/** The protocol options of both kinds of server. */
interface ProtocolOptions {
  settings: http2.Settings
  /** Time for a TLS handshake and for the head of a request over HTTP/1.1, in milliseconds. */
  firstCallMs: number
  /** Time between two requests over HTTP/1.1, and for the first bytes, in milliseconds. */
  keepAliveMs: number
}

const http1RequestTimeoutMs = 300_000
const http2Preface = Buffer.from('PRI')

/** Creates a server without TLS; the first bytes distinguish HTTP/2 with prior knowledge from HTTP/1.1. */
export function createPlainServer(options: ProtocolOptions, events: ConnectionEvents): net.Server {
  const http1Server = http.createServer(http1Timeouts(options), events.onRequest)
  const http2Server = http2.createServer(
    { settings: options.settings, ...sessionBounds.node },
    events.onRequest,
  )
  http2Server.on('session', events.onSession)
  http1Server.on('clientError', refuseMalformed)
  // node:http starts to enforce its header and request timeouts when it hears that it listens.
  http1Server.emit('listening')
  const server = createGuardedServer(events, (socket) => {
    const giveUp = () => socket.destroy()
    events.onHttp1Socket(socket)
    socket.setTimeout(options.keepAliveMs, giveUp)
    socket.on('error', giveUp)
    socket.once('readable', () => {
      const bytes: unknown = socket.read()
      if (!Buffer.isBuffer(bytes)) {
        socket.destroy()
        return
      }
      socket.setTimeout(0).off('timeout', giveUp)
      socket.unshift(bytes)
      // No HTTP/1.1 method starts with these letters, and a preface is never sent in smaller parts than this.
      if (bytes.subarray(0, http2Preface.length).equals(http2Preface)) {
        events.onHttp2Socket(socket)
        http2Server.emit('connection', socket)
      } else {
        http1Server.emit('connection', socket)
      }
    })
  })
  return server.once('close', () => http1Server.close())
}

/** Creates a server with TLS, by the certificates that there are when a connection comes; ALPN chooses the protocol. */
export function createTlsServer(
  currentTls: CurrentTls,
  options: ProtocolOptions,
  events: ConnectionEvents,
): net.Server {
  let tls = currentTls()
  const tlsServer = http2.createSecureServer(
    {
      ...tls,
      settings: options.settings,
      ...sessionBounds.node,
      allowHTTP1: true,
      handshakeTimeout: options.firstCallMs,
      // A caller without certificate may still have a token: identity decides, not the handshake.
      requestCert: true,
      rejectUnauthorized: false,
    },
    events.onRequest,
  )
  // node:http2 does not take them as options.
  Object.assign(tlsServer, http1Timeouts(options))
  tlsServer.on('session', events.onSession)
  tlsServer.on('clientError', refuseMalformed)
  tlsServer.on('secureConnection', (socket) => {
    if (socket.alpnProtocol !== 'h2') events.onHttp1Socket(socket)
  })
  tlsServer.emit('listening')
  const server = createGuardedServer(events, (socket) => {
    const renewed = currentTls()
    if (renewed !== tls) tlsServer.setSecureContext(renewed)
    tls = renewed
    tlsServer.emit('connection', socket)
  })
  return server.once('close', () => tlsServer.close())
}

const statusOfError = new Map<unknown, string>([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

/** Answers what is not an HTTP/1.1 request, for which there is no response object, as Node does by itself but with our headers. */
function refuseMalformed(error: Error & { code?: unknown }, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOfError.get(error.code) ?? '400 Bad Request'
  const headers = Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('')}connection: close\r\n\r\n`)
}

function http1Timeouts({ firstCallMs, keepAliveMs }: ProtocolOptions): http.ServerOptions {
  return {
    keepAliveTimeout: keepAliveMs,
    keepAliveTimeoutBuffer: 1_000,
    headersTimeout: firstCallMs,
    requestTimeout: http1RequestTimeoutMs,
    connectionsCheckingInterval: Math.ceil(firstCallMs / 6),
  }
}

function createGuardedServer(
  { admits }: ConnectionEvents,
  onConnection: (socket: Socket) => void,
): net.Server {
  return net.createServer({ noDelay: true }, (socket) => {
    if (admits(socket)) onConnection(socket)
    else socket.destroy()
  })
}
