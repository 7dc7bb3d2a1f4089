import type { HandlerContext } from '@connectrpc/connect'
import { abortError } from '@wadi/concurrency/abort-error.ts'

/** Margin by which a run ends before its caller stops waiting, so that the reason arrives, as in Argo CD, in milliseconds. */
const answerMs = 100

/** Of that, what a command has to end by itself, in milliseconds. */
const lastGraceMs = 40

/** The signal of a call that aborts while there is still time to answer. */
export function beforeDeadline({
  signal,
  timeoutMs,
}: Pick<HandlerContext, 'signal' | 'timeoutMs'>): AbortSignal {
  const left = timeoutMs()
  if (left === undefined) return signal
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.floor(left - answerMs)))])
}

/**
 * Waits for a command, but no longer than its caller does: what ignores SIGTERM is left to the end of the run, which
 * kills it.
 * @param what the command, for messages
 */
export async function whileAwaited<T>(running: Promise<T>, signal: AbortSignal, what: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => late.reject(abortError(signal, what)), lastGraceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([running, late.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    // It may end only now.
    running.catch(() => undefined)
  }
}
