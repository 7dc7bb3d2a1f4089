import { CanceledError, DeadlineExceededError, DomainError } from '@wadi/errors/domain-error.ts'

/** The error of a call that its own signal ended. */
export function abortError(signal: AbortSignal): DomainError {
  const reason: unknown = signal.reason
  if (reason instanceof DomainError) return reason
  if (reason instanceof DOMException && reason.name === 'TimeoutError') {
    return new DeadlineExceededError('the time for the call ran out', { cause: reason })
  }
  return new CanceledError('the call was canceled', { cause: reason })
}

/** The promise's result, or the error of the signal when that comes first. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  if (signal.aborted) throw abortError(signal)
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(abortError(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
