import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ClusterConfig } from '../config/cluster-config.ts'
import { openSession, type Session } from './session.ts'

/** One request, as HTTP has it. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly body?: string
  readonly contentType?: string
}

/** The beginning of an answer; its body comes as `stream`. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly stream: ClientHttp2Stream
}

const defaultPingIntervalMs = 10_000

/** The one HTTP/2 connection to an API server that all requests and watches share; a lost one is replaced by the next request. */
export class ApiConnection implements AsyncDisposable {
  readonly #config: ClusterConfig
  readonly #server: URL
  readonly #pingIntervalMs: number
  #current: Promise<Session> | undefined
  readonly #open = new Set<Session>()

  /** @param pingIntervalMs a connection is lost when two pings in turn are not answered; 10 s by default */
  constructor(config: ClusterConfig, pingIntervalMs = defaultPingIntervalMs) {
    this.#config = config
    this.#server = new URL(config.server)
    this.#pingIntervalMs = pingIntervalMs
  }

  /**
   * Sends a request and waits for the status of its answer.
   * @param signal ends the request, also while the body is read
   * @throws UnavailableError when there is no connection or it is lost, and the reason of the signal.
   */
  async send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const token = await this.#config.bearerToken()
    const session = await untilAborted(this.#connected(), signal)
    signal.throwIfAborted()
    const body = request.body === undefined ? undefined : Buffer.from(request.body)
    const stream = session.request(
      {
        ':method': request.method,
        ':path': `${this.#server.pathname.replace(/\/$/, '')}${request.path}`,
        accept: 'application/json',
        'user-agent': 'wadi',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && {
          'content-type': request.contentType ?? 'application/json',
          'content-length': String(body.length),
        }),
      },
      { endStream: body === undefined, signal },
    )
    const headers = response(stream, signal, this.#config.server)
    if (body !== undefined) stream.end(body)
    const received = await headers
    return { status: Number(received[':status']), headers: received, stream }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#current = undefined
    for (const session of this.#open) session.destroy()
  }

  async #connected(): Promise<Session> {
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
  #connect(): Promise<Session> {
    const forget = () => {
      if (this.#current === opening) this.#current = undefined
    }
    const opening = this.#config
      .tls()
      .then((tls) =>
        openSession(this.#server, tls, { pingIntervalMs: this.#pingIntervalMs, onUnusable: forget }),
      )
    opening.then((session) => {
      this.#open.add(session)
      session.onClose(() => this.#open.delete(session))
    }, forget)
    return opening
  }
}

type ResponseHeaders = IncomingHttpHeaders & IncomingHttpStatusHeader

async function response(
  stream: ClientHttp2Stream,
  signal: AbortSignal,
  server: string,
): Promise<ResponseHeaders> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseHeaders>()
  const lost = (cause?: unknown) => reject(signal.aborted ? signal.reason : connectionLost(server, cause))
  // The listener stays: the iteration throws the error to the reader of the body.
  stream.on('error', lost)
  stream.once('response', resolve)
  stream.once('close', () => lost())
  return promise
}

/** The error of a connection that broke. */
export function connectionLost(server: string, cause?: unknown): UnavailableError {
  return new UnavailableError(`the connection to the Kubernetes API at ${server} was lost`, { cause })
}
