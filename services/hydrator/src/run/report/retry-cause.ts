import {
  DeadlineExceededError,
  DomainError,
  errorMessage,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { RemoteError } from '@wadi/rpc/error-mapping.ts'

/**
 * Returns the condition for the next run after a failure. A retry helps when a remote or service is unreachable or somebody was faster; an
 * undescribed error of another service may pass too. A call that timed out is tried once more. Everything else needs a change.
 * @param cause the error; undefined for errors of single Applications, which the renderers report
 * @param attempts runs that failed with the same inputs, this one included
 */
export function retryOf(cause: unknown, attempts: number): 'time' | 'change' {
  if (cause === undefined) return 'change'
  if (cause instanceof DeadlineExceededError) return cause.retryable && attempts < 2 ? 'time' : 'change'
  if (cause instanceof RemoteError) return 'time'
  return cause instanceof DomainError && !cause.retryable ? 'change' : 'time'
}

/** The error that makes the queue try a run again, whatever caused it. */
export function retryableError(cause: unknown): Error {
  if (cause instanceof Error && (!(cause instanceof DomainError) || cause.retryable)) return cause
  return new UnavailableError(errorMessage(cause), { cause })
}
