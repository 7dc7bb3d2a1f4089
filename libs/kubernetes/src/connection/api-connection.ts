import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import { CanceledError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ClusterConfig } from '../config/cluster-config.ts'
import { openSession, type ApiSession } from './session.ts'

/** The name of this client; the API server records it as the manager of written fields. */
export const clientName = 'wadi'

/** One request, as HTTP has it. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly body?: string
  readonly contentType?: string
  /** The types of answers that are understood; JSON by default. */
  readonly accept?: string
}

/** The beginning of an answer. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** @throws UnavailableError when the connection is lost, and the reason of the signal */
  readonly body: AsyncIterable<Buffer>
}

/** The way to an API server. */
export interface ApiTransport extends AsyncDisposable {
  /**
   * Sends a request and waits for the status of its answer.
   * @param signal ends the request, also while the body is read
   * @throws UnavailableError when there is no connection or it is lost, CanceledError after disposal, and the reason of the signal
   */
  send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer>
  /** The lead of this machine's clock over the API server's, in milliseconds; 0 before the first answer. */
  readonly clockAheadMs: number
}

const defaultPingIntervalMs = 10_000
const maxAttempts = 3

/** The one HTTP/2 connection to an API server that all requests and watches share; a lost one is replaced by the next request. */
export class ApiConnection implements ApiTransport {
  readonly #config: ClusterConfig
  readonly #server: URL
  readonly #pingIntervalMs: number
  #current: Promise<ApiSession> | undefined
  readonly #open = new Set<ApiSession>()
  #isDisposed = false
  #clockAheadMs = 0
  /** The token that the server refused last. */
  #refused: string | undefined

  /** @param pingIntervalMs a connection is lost when two pings in turn are not answered; 10 s by default */
  constructor(config: ClusterConfig, pingIntervalMs = defaultPingIntervalMs) {
    this.#config = config
    this.#server = new URL(config.server)
    this.#pingIntervalMs = pingIntervalMs
  }

  /** A request that the server refuses unread, since it closes the connection, is sent again on another one. */
  async send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const token = await this.#config.bearerToken(this.#refused)
    for (let attempt = 1; ; attempt++) {
      const session = await untilAborted(this.#connected(), signal)
      signal.throwIfAborted()
      const stream = this.#begin(session, request, token, signal)
      try {
        const headers = await response(stream)
        const ahead = Date.now() - Date.parse(headers.date ?? '')
        if (Number.isFinite(ahead)) this.#clockAheadMs = ahead
        const status = Number(headers[':status'])
        if (status === 401) this.#refused = token
        return { status, headers, body: readChunks(stream, signal, this.#config.server) }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
        if (!isRefused || attempt === maxAttempts) throw connectionLost(this.#config.server, error)
      }
    }
  }

  /** The lead of this machine's clock over the API server's, by the last answer, whose `Date` has whole seconds. */
  get clockAheadMs(): number {
    return this.#clockAheadMs
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    this.#current = undefined
    for (const session of this.#open) session.destroy()
  }

  #begin(
    session: ApiSession,
    { method, path, body, contentType = 'application/json', accept = 'application/json' }: ApiRequest,
    token: string | undefined,
    signal: AbortSignal,
  ): ClientHttp2Stream {
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const stream = session.request(
      {
        ':method': method,
        ':path': `${this.#server.pathname.replace(/\/$/, '')}${path}`,
        accept,
        'user-agent': clientName,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(bytes !== undefined && { 'content-type': contentType, 'content-length': String(bytes.length) }),
      },
      { endStream: bytes === undefined, signal },
    )
    // Stays for the life of the stream: who reads the body learns of an error by the iteration.
    stream.on('error', () => undefined)
    if (bytes !== undefined) stream.end(bytes)
    return stream
  }

  async #connected(): Promise<ApiSession> {
    this.#assertOpen()
    const known = this.#current
    if (known !== undefined) {
      const session = await known
      if (session.isUsable()) return session
      if (this.#current === known) this.#current = undefined
    }
    this.#current ??= this.#connect()
    return this.#current
  }

  /** Not an async function: the promise that it returns is the one that forgets itself. */
  #connect(): Promise<ApiSession> {
    const forget = () => {
      if (this.#current === opening) this.#current = undefined
    }
    const opening = this.#config
      .tls()
      .then((tls) =>
        openSession(this.#server, tls, { pingIntervalMs: this.#pingIntervalMs, onUnusable: forget }),
      )
      .then((session) => this.#kept(session))
    opening.catch(forget)
    return opening
  }

  /** A connection that was made while this was disposed is not left open. */
  #kept(session: ApiSession): ApiSession {
    if (this.#isDisposed) session.destroy()
    this.#assertOpen()
    this.#open.add(session)
    session.onClose(() => this.#open.delete(session))
    return session
  }

  #assertOpen(): void {
    if (this.#isDisposed) throw new CanceledError('the client of the Kubernetes API was closed')
  }
}

type ResponseHeaders = IncomingHttpHeaders & IncomingHttpStatusHeader

async function response(stream: ClientHttp2Stream): Promise<ResponseHeaders> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseHeaders>()
  stream.once('response', resolve)
  stream.once('error', reject)
  stream.once('close', () => reject(new Error('the stream was closed')))
  return promise
}

async function* readChunks(
  stream: ClientHttp2Stream,
  signal: AbortSignal,
  server: string,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    throw signal.aborted ? signal.reason : connectionLost(server, error)
  }
  // A reset that is not an error to Node ends the iteration as a complete body does.
  if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw connectionLost(server)
}

/** The error of a connection that broke. */
function connectionLost(server: string, cause?: unknown): UnavailableError {
  return new UnavailableError(`the connection to the Kubernetes API at ${server} was lost`, { cause })
}
