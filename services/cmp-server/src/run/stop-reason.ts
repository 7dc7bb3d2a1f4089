import { CanceledError, DeadlineExceededError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'

/** Why something was stopped by its signal, in words about `what` it was. */
export function stopReason(signal: AbortSignal, what: string): Error {
  const { reason: cause } = signal
  if (cause instanceof ResourceExhaustedError) return cause
  const isLate = cause instanceof Error && /deadline|timed? ?out/i.test(`${cause.name} ${cause.message}`)
  return isLate
    ? new DeadlineExceededError(`the time for ${what} ran out`, { cause })
    : new CanceledError(`${what} was cancelled`, { cause })
}
