import http2, { type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { createAllowance } from './allowance.ts'
import { type ConnectionLimits, sessionBounds } from './connection-bounds.ts'
import { sayGoodbye } from './say-goodbye.ts'

/**
 * Node's error for a peer that keeps sending frames that break the rules. One such frame ends the connection and says
 * nothing about its peer: with the last frame of every connection, grpc-go names a call that never was.
 */
const tooManyInvalidFrames = 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES'

/**
 * Ends an HTTP/2 connection that costs more than an honest one: many calls that are cut off before they are answered
 * (rapid reset, CVE-2023-44487, whichever side sends the reset), floods of pings or settings, and one that never greets.
 * `onHostile` hears of it, with the reason. A connection that is merely idle, be it before its first call, gets a
 * goodbye: clients connect before they call.
 */
export function guardSession(
  session: ServerHttp2Session,
  limits: ConnectionLimits,
  onHostile: (reason: string) => void,
): void {
  const mayCut = createAllowance(sessionBounds.cutCalls)
  const mayControl = createAllowance(sessionBounds.controlFrames)
  let isEnded = false
  const end = (reason: string) => {
    if (isEnded) return
    isEnded = true
    onHostile(reason)
    session.destroy(undefined, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM)
  }
  const onControlFrame = () => {
    if (!mayControl()) end('too many pings or settings')
  }
  let calls = 0
  let hasGreeted = false
  let idle = setTimeout(() => {
    if (hasGreeted) sayGoodbye(session, limits.farewellMs, () => calls > 0)
    else end('it never greeted')
  }, limits.firstCallMs).unref()
  session.once('remoteSettings', () => {
    hasGreeted = true
  })
  session.on('stream', (stream: ServerHttp2Stream) => {
    calls += 1
    clearTimeout(idle)
    stream.once('close', () => {
      calls -= 1
      if (stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR && !mayCut()) {
        end('too many calls were cut off')
      }
      if (calls === 0 && !session.closed) {
        idle = setTimeout(
          () => sayGoodbye(session, limits.farewellMs, () => calls > 0),
          limits.idleMs,
        ).unref()
      }
    })
  })
  session.on('ping', onControlFrame)
  session.on('remoteSettings', onControlFrame)
  session.once('error', (error: Error & { code?: unknown }) => {
    if (error.code === tooManyInvalidFrames) end('it broke the rules of HTTP/2')
  })
  session.once('close', () => clearTimeout(idle))
}
