import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
  connect,
} from 'node:http2'
import net from 'node:net'
import { Code, ConnectError } from '@connectrpc/connect'
import { pingPeer, type PingOptions } from './peer-pings.ts'

const idleTimeoutMs = 120_000

/** So long a connection may take to be made: what is sent to the address of a machine that is gone is often not even refused. */
const connectTimeoutMs = 5_000

/** The options of a connection. */
export type ConnectionOptions = SecureClientSessionOptions &
  Pick<PingOptions, 'pingIntervalMs' | 'maxSilenceMs'>

interface Opened {
  readonly session: ClientHttp2Session
  readonly isConnected: Promise<unknown>
  readonly pingOptions: PingOptions
  failure: Error | undefined
  streams: number
  pings: Disposable | undefined
}

/** The errors of requests for which there was no connection, so that the peer has seen nothing of them. */
const unsent = new WeakSet<object>()

/** True if a request failed before any of it was sent; for errors of `request`, or errors with such a cause. */
export function isNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return unsent.has(error) || isNotSent(error.cause)
}

/** Marks an error of a request that failed before any of it was sent, and returns it. */
export function asNotSent<Failure extends Error>(error: Failure): Failure {
  unsent.add(error)
  return error
}

/**
 * One HTTP/2 connection for a transport of Connect: opened by the first request, and again after it was lost. It is
 * pinged while something runs, so that a peer that is gone is noticed, and closed when nothing ran for two minutes.
 * Whatever the peer sends, its failures end requests and nothing else: the transport's own manager would end the process
 * when a peer speaks no HTTP/2.
 */
export class ServiceConnection implements Disposable {
  readonly authority: string
  readonly #path: string | undefined
  readonly #optionsNow: () => ConnectionOptions
  #opened: Opened | undefined
  #idle: NodeJS.Timeout | undefined
  #isRetired = false
  #isDisposed = false

  /**
   * @param endpoint `unix:/path`, `http://host:port` or `https://host:port`
   * @param optionsNow asked for each connection, as certificates are renewed
   */
  constructor(endpoint: string, optionsNow: () => ConnectionOptions) {
    this.#path = endpoint.startsWith('unix:') ? endpoint.slice('unix:'.length) : undefined
    this.authority = this.#path === undefined ? new URL(endpoint).origin : 'http://localhost'
    this.#optionsNow = optionsNow
  }

  /** True if there is a connection or one is being made. */
  get isOpen(): boolean {
    return this.#opened !== undefined
  }

  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Omit<ClientSessionRequestOptions, 'signal'>,
  ): Promise<ClientHttp2Stream> {
    if (this.#isDisposed) throw new ConnectError('the connection was closed', Code.Canceled)
    const opened = (this.#opened ??= this.#open())
    this.#streamBegins(opened)
    try {
      await opened.isConnected
      if (opened.failure !== undefined) throw opened.failure
      const stream = opened.session.request({ ...headers, ':method': method, ':path': path }, options)
      stream.once('close', () => this.#streamEnds(opened))
      return stream
    } catch (error) {
      this.#streamEnds(opened)
      throw error instanceof Error ? asNotSent(error) : error
    }
  }

  /** Part of what a transport asks for: a read shows that the peer is alive, for which pings suffice here. */
  notifyResponseByteRead(): void {}

  /** From now on the connection closes as soon as nothing runs. */
  retire(): void {
    this.#isRetired = true
    if (this.#opened?.streams === 0) this.#close(this.#opened)
  }

  /** Ends the connection with everything that runs. */
  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#opened?.session.destroy(new ConnectError('the connection was closed', Code.Canceled))
  }

  #open(): Opened {
    const options = this.#optionsNow()
    const ofPath = this.#path === undefined ? {} : { createConnection: () => this.#connectSocket() }
    const session = connect(this.authority, { ...options, ...ofPath })
    const isConnected = once(session, 'connect')
    endUnlessConnected(session)
    const opened: Opened = {
      session,
      isConnected,
      failure: undefined,
      streams: 0,
      pings: undefined,
      pingOptions: { ...options, probe: () => this.#connectSocket() },
    }
    const forget = () => {
      if (this.#opened === opened) this.#opened = undefined
    }
    // There for as long as the session: an error that nobody listens to would end the process.
    session.on('error', (error) => {
      opened.failure ??= error
      forget()
    })
    // When a peer says goodbye and then dies, Node waits for the answers, or ends the requests without an error, so this comes first.
    session.once('connect', (_session, socket) => {
      const lost = (cause?: unknown) => {
        if (session.destroyed) return
        session.destroy(
          new ConnectError('the connection was lost', Code.Unavailable, undefined, undefined, cause),
        )
      }
      socket.prependOnceListener('error', lost).once('close', () => lost())
    })
    session.once('goaway', forget)
    session.once('close', () => {
      forget()
      stopPings(opened)
    })
    return opened
  }

  #streamBegins(opened: Opened): void {
    clearTimeout(this.#idle)
    opened.streams += 1
    if (opened.streams > 1) return
    opened.session.ref()
    opened.pings = pingPeer(opened.session, opened.pingOptions)
  }

  #streamEnds(opened: Opened): void {
    opened.streams -= 1
    if (opened.streams > 0) return
    stopPings(opened)
    if (this.#isRetired || this.#opened !== opened) this.#close(opened)
    else {
      opened.session.unref()
      this.#idle = setTimeout(() => this.#close(opened), idleTimeoutMs).unref()
    }
  }

  #connectSocket(): net.Socket {
    if (this.#path !== undefined) return net.connect({ path: this.#path })
    const { hostname, port, protocol } = new URL(this.authority)
    const host = hostname.replace(/^\[|\]$/g, '')
    return net.connect({ port: Number(port) || (protocol === 'https:' ? 443 : 80), host })
  }

  #close(opened: Opened): void {
    if (this.#opened === opened) this.#opened = undefined
    opened.session.close()
  }
}

function endUnlessConnected(session: ClientHttp2Session): void {
  const end = () => {
    if (!session.connecting) return
    session.destroy(new ConnectError(`no connection within ${connectTimeoutMs / 1000} s`, Code.Unavailable))
  }
  // A process that was busy hears first of a connection that was made meanwhile.
  const timer = setTimeout(() => setImmediate(end), connectTimeoutMs).unref()
  session.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

function stopPings(opened: Opened): void {
  opened.pings?.[Symbol.dispose]()
  opened.pings = undefined
}
