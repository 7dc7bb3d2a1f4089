import { Code, ConnectError } from '@connectrpc/connect'
import { useEffect, useEffectEvent, useState } from 'react'
import { hasSessionEnded } from './session.ts'

/** The state of a stream: `live` if the page follows the server, `cut` if it does and something in between ends each stream after the same time. */
export type StreamState = 'connecting' | 'live' | 'broken' | 'cut'

const firstPauseMs = 500
const longestPauseMs = 15_000

/** So many streams in a row that end after about the same time are no accident. */
const cutsInRow = 3
const longestCutMs = 120_000
const cutToleranceMs = 1_000

interface LiveStream<Message> {
  /** Identifies what is followed; another key follows something else. */
  key: string
  open: (signal: AbortSignal) => AsyncIterable<Message>
  receive: (message: Message) => void
}

/**
 * Follows a stream of the server for as long as the component is shown and its tab is visible: a stream that breaks is opened
 * again, at once when the network or the tab comes back, else after a pause that doubles up to 15 s until there is a message.
 */
export function useLiveStream<Message>({ key, open, receive }: LiveStream<Message>): StreamState {
  const [state, setState] = useState<StreamState>('connecting')
  const openNow = useEffectEvent(open)
  const receiveNow = useEffectEvent(receive)
  useEffect(() => {
    const ended = new AbortController()
    const follow = async () => {
      let pauseMs = firstPauseMs
      const lifetimes: number[] = []
      while (!ended.signal.aborted) {
        const once = new AbortController()
        const openedAt = performance.now()
        const signal = AbortSignal.any([ended.signal, once.signal])
        const onHidden = () => document.hidden && once.abort()
        document.addEventListener('visibilitychange', onHidden)
        try {
          if (!document.hidden) {
            for await (const message of openNow(signal)) {
              pauseMs = firstPauseMs
              setState(isCut(lifetimes) ? 'cut' : 'live')
              receiveNow(message)
            }
          }
        } catch (error) {
          // Who may not follow will not be let in by asking again at once.
          if (isRefused(error)) pauseMs = longestPauseMs
        } finally {
          document.removeEventListener('visibilitychange', onHidden)
        }
        if (ended.signal.aborted) return
        if (!document.hidden) {
          lifetimes.push(performance.now() - openedAt)
          setState(isCut(lifetimes) ? 'cut' : 'broken')
        }
        await pause(pauseMs, ended.signal)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
    void follow()
    return () => ended.abort()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another key is another stream
  }, [key])
  return state
}

function isCut(lifetimes: readonly number[]): boolean {
  const last = lifetimes.slice(-cutsInRow)
  const [shortest, longest] = [Math.min(...last), Math.max(...last)]
  const tolerance = Math.min(cutToleranceMs, shortest / 2)
  return last.length === cutsInRow && longest < longestCutMs && longest - shortest < tolerance
}

function isRefused(error: unknown): boolean {
  const { code } = ConnectError.from(error)
  return code === Code.PermissionDenied || (code === Code.Unauthenticated && !hasSessionEnded())
}

/** Waits, at most until the network or the tab is back. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const over = new AbortController()
  const timer = document.hidden ? undefined : setTimeout(resolve, ms)
  globalThis.addEventListener('online', () => resolve(), { signal: over.signal })
  document.addEventListener('visibilitychange', () => !document.hidden && resolve(), { signal: over.signal })
  signal.addEventListener('abort', () => resolve(), { signal: over.signal })
  await promise
  clearTimeout(timer)
  over.abort()
}
