import { CanceledError, DeadlineExceededError, DomainError } from '@wadi/errors/domain-error.ts'

/**
 * The error of work that its signal ended: the signal's own reason if that is a domain error, DeadlineExceededError when
 * time ran out, else CanceledError.
 * @param what the work, as it is called in messages
 */
export function abortError({ reason }: AbortSignal, what: string): DomainError {
  if (reason instanceof DomainError) return reason
  return isDeadline(reason)
    ? new DeadlineExceededError(`the time for ${what} ran out`, { cause: reason })
    : new CanceledError(`${what} was canceled`, { cause: reason })
}

/** As `AbortSignal.timeout` gives it, or as Connect does, whose errors carry gRPC's code. */
function isDeadline(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false
  return reason.name === 'TimeoutError' || ('code' in reason && reason.code === deadlineExceeded)
}

const deadlineExceeded = 4
