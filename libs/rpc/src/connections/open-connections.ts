import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { NodeServerResponse } from '../node-request.ts'
import { sayGoodbye } from './say-goodbye.ts'

/**
 * The connections of a port. When it closes, each ends as its protocol allows: HTTP/2 by a goodbye, HTTP/1.1 by `connection: close`
 * in every answer from then on. Those of HTTP/1.1 without a request end some time later, since one may be on its way, the others after
 * their last one.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>()
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #http1Sockets = new Set<Socket>()
  readonly #http1Responses = new Map<NodeServerResponse, Socket>()
  readonly #destroyAll = () => {
    for (const socket of this.#sockets) socket.destroy()
  }
  #farewell: NodeJS.Timeout | undefined
  #isEnding = false
  #isOver = false

  addSocket(socket: Socket): void {
    track(this.#sockets, socket)
  }

  addSession(session: ServerHttp2Session): void {
    track(this.#sessions, session)
    if (this.#isEnding) sayGoodbye(session, 0)
  }

  addHttp1Socket(socket: Socket): void {
    track(this.#http1Sockets, socket)
  }

  leaveHttp1(socket: Socket): void {
    this.#http1Sockets.delete(socket)
  }

  /** Keeps an HTTP/1.1 connection open until the response is sent. */
  countRequest(socket: Socket, response: NodeServerResponse): void {
    this.#http1Responses.set(response, socket)
    if (this.#isEnding) announceEnd(response)
    response.once('close', () => {
      this.#http1Responses.delete(response)
      if (this.#isOver) this.#endIdle()
    })
  }

  /** Lets every connection finish its calls, and idle ones stay for `farewellMs`; when `force` aborts, sockets are destroyed. */
  end(force: AbortSignal, farewellMs: number): void {
    this.#isEnding = true
    for (const session of this.#sessions) sayGoodbye(session, farewellMs)
    for (const response of this.#http1Responses.keys()) announceEnd(response)
    this.#farewell = setTimeout(() => {
      this.#isOver = true
      this.#endIdle()
    }, farewellMs)
    if (force.aborted) this.#destroyAll()
    else force.addEventListener('abort', this.#destroyAll, { once: true })
  }

  ended(force: AbortSignal): void {
    clearTimeout(this.#farewell)
    force.removeEventListener('abort', this.#destroyAll)
  }

  #endIdle(): void {
    const busy = new Set(this.#http1Responses.values())
    for (const socket of this.#http1Sockets) if (!busy.has(socket)) socket.destroySoon()
  }
}

/** Makes Node end the connection after this response, and say so in its head if that is not sent yet. */
function announceEnd(response: NodeServerResponse): void {
  if ('shouldKeepAlive' in response && !response.headersSent) response.shouldKeepAlive = false
}

function track<T extends Socket | ServerHttp2Session>(open: Set<T>, item: T): void {
  open.add(item)
  item.once('close', () => open.delete(item))
}
