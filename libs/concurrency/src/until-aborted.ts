import { abortError } from './abort-error.ts'

/**
 * The result of a promise, without waiting longer than the signal allows. The work behind the promise goes on.
 * @param what the work, as it is called in messages: an abort throws the `abortError` of it; without it, the reason of
 *   the signal
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  what?: string,
): Promise<T> {
  if (signal === undefined) return promise
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(what === undefined ? signal.reason : abortError(signal, what))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    // The abort comes first: of two that are settled already, it is the one that is thrown.
    return await Promise.race([aborted.promise, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
