import type { ServerHttp2Session } from 'node:http2'

/**
 * Tells the peer of an HTTP/2 connection that it takes no further call (GOAWAY without an error, with the last call that was taken: a
 * client may repeat every later one). A peer that does not leave in time is disconnected, unless it has calls in flight then.
 */
export function sayGoodbye(
  session: ServerHttp2Session,
  farewellMs: number,
  hasCalls: () => boolean = () => !session.destroyed,
): void {
  if (session.destroyed) return
  // Bound to the socket itself, which a session lets go of when its last call has ended.
  const destroySoon = session.socket.destroySoon.bind(session.socket)
  session.close()
  const timer = setTimeout(() => {
    if (!hasCalls()) destroySoon()
  }, farewellMs).unref()
  session.once('close', () => clearTimeout(timer))
}
