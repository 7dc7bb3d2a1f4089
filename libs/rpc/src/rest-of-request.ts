import type { NodeServerRequest, NodeServerResponse } from './node-request.ts'

/** Milliseconds in which the rest of a request may come after its answer. */
const maxRestMs = 10_000

/** The body of a request as it comes. That of HTTP/1.1 can still be read by others when a reader stops in the middle. */
export function bodyOf(request: NodeServerRequest): AsyncIterable<Uint8Array> {
  return 'stream' in request ? request : request.iterator({ destroyOnReturn: false })
}

/**
 * Reads away what comes of an HTTP/1.1 request after its answer, as when it is too large or nobody is signed in. Else the rest stands
 * in the connection until the server gives it up, and the caller's next request waits behind it. HTTP/2 resets the stream instead.
 */
export function discardRest(request: NodeServerRequest, response: NodeServerResponse): void {
  if ('stream' in request) return
  response.once('finish', () => {
    if (request.complete) return
    const { socket } = request
    request.resume()
    const timer = setTimeout(() => socket.destroy(), maxRestMs)
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
  })
}
