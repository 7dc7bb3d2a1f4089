import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { NodeServerResponse } from '../node-request.ts'

/** The connections of a port: those without a call end at once when the port closes, the others after their last one. */
export class OpenConnections {
  readonly #sockets = new Set<Socket>()
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #http1Sockets = new Set<Socket>()
  readonly #http1Requests = new Map<Socket, number>()
  readonly #destroyAll = () => {
    for (const socket of this.#sockets) socket.destroy()
  }
  #isEnding = false

  addSocket(socket: Socket): void {
    track(this.#sockets, socket)
  }

  addSession(session: ServerHttp2Session): void {
    track(this.#sessions, session)
  }

  addHttp1Socket(socket: Socket): void {
    track(this.#http1Sockets, socket)
  }

  leaveHttp1(socket: Socket): void {
    this.#http1Sockets.delete(socket)
  }

  /** Keeps an HTTP/1.1 connection open until the response is sent. */
  countRequest(socket: Socket, response: NodeServerResponse): void {
    this.#http1Requests.set(socket, (this.#http1Requests.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (this.#http1Requests.get(socket) ?? 1) - 1
      if (left > 0) this.#http1Requests.set(socket, left)
      else this.#http1Requests.delete(socket)
      this.#endIfIdle(socket)
    })
  }

  /** Lets every connection finish its calls; when `force` aborts, sockets are destroyed. */
  end(force: AbortSignal): void {
    this.#isEnding = true
    for (const session of this.#sessions) session.close()
    for (const socket of this.#http1Sockets) this.#endIfIdle(socket)
    if (force.aborted) this.#destroyAll()
    else force.addEventListener('abort', this.#destroyAll, { once: true })
  }

  ended(force: AbortSignal): void {
    force.removeEventListener('abort', this.#destroyAll)
  }

  #endIfIdle(socket: Socket): void {
    if (this.#isEnding && !this.#http1Requests.has(socket)) socket.destroySoon()
  }
}

function track<T extends Socket | ServerHttp2Session>(open: Set<T>, item: T): void {
  open.add(item)
  item.once('close', () => open.delete(item))
}
