import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { ConnectionOptions } from 'node:tls'
import { certificateTimeMessage } from '@wadi/errors/certificate-time.ts'
import { errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'

/** An HTTP/2 connection that was up. */
export interface ApiSession {
  /** False from the moment in which it breaks or the server says goodbye; its end is announced a little later. */
  isUsable(): boolean
  request(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions): ClientHttp2Stream
  destroy(): void
  onClose(listener: () => void): void
}

const connectTimeoutMs = 10_000
const maxUnansweredPings = 2
/** A list of thousands of objects would otherwise stop for an answer after each 64 KiB. */
const streamWindow = 1024 * 1024
const connectionWindow = 8 * streamWindow
/** By default Node refuses new requests while 10 MB are under way, which a list alone can be. */
const maxSessionMegabytes = 64

/**
 * Connects, and from then on pings: a connection on which two pings in turn are not answered is destroyed, with everything that
 * waits on it.
 * @param onUnusable called once when no further request should use the connection; running ones may still end
 * @throws UnavailableError that says why there is no connection
 */
export async function openSession(
  server: URL,
  tls: ConnectionOptions,
  { pingIntervalMs, onUnusable }: { pingIntervalMs: number; onUnusable: () => void },
): Promise<ApiSession> {
  const session = connect(server, {
    ...tls,
    settings: { initialWindowSize: streamWindow },
    maxSessionMemory: maxSessionMegabytes,
  })
  session.once('goaway', onUnusable).once('close', onUnusable)
  await connected(session, server)
  pingUntilClosed(session, pingIntervalMs)
  return {
    isUsable: () => !session.closed && !session.destroyed,
    request: (headers, options) => session.request(headers, options),
    destroy: () => session.destroy(),
    onClose: (listener) => void session.once('close', listener),
  }
}

async function connected(session: ClientHttp2Session, server: URL): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => session.destroy(new Error(`no answer within ${connectTimeoutMs / 1000} s`)),
    connectTimeoutMs,
  )
  session.once('connect', resolve)
  // Stays for the life of the session: its streams report what ended them.
  session.on('error', reject)
  session.once('close', () => reject(new Error('the connection was closed')))
  try {
    await promise
    session.setLocalWindowSize(connectionWindow)
  } catch (error) {
    throw noConnection(server, error)
  } finally {
    clearTimeout(timer)
  }
}

function noConnection(server: URL, cause: unknown): UnavailableError {
  return new UnavailableError(
    `no connection to the Kubernetes API at ${server.origin}: ${certificateTimeMessage(errorMessage(cause), cause)}`,
    {
      cause,
    },
  )
}

function pingUntilClosed(session: ClientHttp2Session, intervalMs: number): void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered >= maxUnansweredPings) {
      session.destroy(new Error('the API server does not answer pings'), constants.NGHTTP2_CANCEL)
      return
    }
    if (session.destroyed) return
    unanswered++
    session.ping(() => {
      unanswered = 0
    })
  }, intervalMs)
  session.once('close', () => clearInterval(timer))
}
