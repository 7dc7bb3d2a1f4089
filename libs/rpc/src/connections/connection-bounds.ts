/** The limits that a test may lower: every port has the same. */
export interface ConnectionLimits {
  /** Time for the first call of a connection to begin, and for the head of each over HTTP/1.1, in milliseconds. Default: 30 s. */
  firstCallMs: number
  /** Time without a call after which an HTTP/2 connection is closed, in milliseconds. Default: 10 minutes. */
  idleMs: number
  /** Time between two requests after which an HTTP/1.1 connection is closed, in milliseconds. Default: 75 s, more than proxies keep theirs. */
  keepAliveMs: number
  /**
   * Time that idle connections stay open when the port closes, and that a client has to leave after a goodbye, in milliseconds: a
   * request may be on its way. Default: 3 s.
   */
  farewellMs: number
  /** Open connections of one address, or of one IPv6 network. Default: 1,024. */
  maxPeerConnections: number
}

/** The limits of every port unless a server has its own. */
export const defaultConnectionLimits: ConnectionLimits = {
  firstCallMs: 30_000,
  idleMs: 600_000,
  keepAliveMs: 75_000,
  farewellMs: 3_000,
  maxPeerConnections: 1_024,
}

/**
 * The limits of one HTTP/2 connection, far above an honest client's use. One that cancels 500 calls at once, and then
 * 50 each second, is still within them; one that exceeds them is disconnected with ENHANCE_YOUR_CALM and may connect
 * again.
 */
export const sessionBounds = {
  /** Calls that end before they are answered. */
  cutCalls: { burst: 500, perSecond: 50 },
  /** Pings and changes of settings. */
  controlFrames: { burst: 2_000, perSecond: 200 },
  // Node reads a packet to its end before it reports what was in it, so it counts resets by itself too.
  node: { streamResetBurst: 512, streamResetRate: 50 },
}

/** After so many connections that were ended as hostile within the time, in milliseconds, their peer gets no new one. */
export const strikeBounds = { strikes: 3, penaltyMs: 10_000 }
