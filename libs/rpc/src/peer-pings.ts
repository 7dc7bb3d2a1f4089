import type { ClientHttp2Session } from 'node:http2'
import type net from 'node:net'
import { Code, ConnectError } from '@connectrpc/connect'

/** The time within which the system of a peer that is there accepts a connection, however busy the peer itself is. */
const probeMs = 2_000

/** The checks of a peer while something runs. */
export interface PingOptions {
  /** Time between pings, in milliseconds. */
  readonly pingIntervalMs: number
  /** The time without an answer after which a peer is gone, in milliseconds. */
  readonly maxSilenceMs: number
  /** Opens a connection beside the one of the session. */
  readonly probe: () => net.Socket
}

/**
 * Pings the peer of a session until disposal. A peer that leaves a ping unanswered is gone if its address takes no connection either, as
 * that of a pod that was removed; one that is only busy gets until the end of the longest silence.
 */
export function pingPeer(session: ClientHttp2Session, options: PingOptions): Disposable {
  const { pingIntervalMs, maxSilenceMs, probe } = options
  let unansweredSince: number | undefined
  const lose = (reason: string): void => {
    session.destroy(new ConnectError(`no sign of life: ${reason}`, Code.Unavailable))
  }
  const check = async (): Promise<void> => {
    const silence = performance.now() - (unansweredSince ?? Infinity)
    if (silence >= maxSilenceMs) lose(`a ping was not answered within ${maxSilenceMs / 1000} s`)
    else if (!(await isReachable(probe)) && unansweredSince !== undefined) {
      lose('a ping was not answered, and a second connection is not accepted')
    }
  }
  const timer = setInterval(() => {
    // It waits for the ends of its streams, and pings of it would throw.
    if (session.destroyed) return clearInterval(timer)
    if (unansweredSince !== undefined) return void check()
    unansweredSince = performance.now()
    session.ping(() => {
      unansweredSince = undefined
    })
  }, pingIntervalMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

async function isReachable(probe: () => net.Socket): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = probe()
  // A process that was busy hears first of a connection that was made meanwhile.
  const timer = setTimeout(() => setImmediate(resolve, false), probeMs).unref()
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}
