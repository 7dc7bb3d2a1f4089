import { DomainError } from '@wadi/errors/domain-error.ts'

/** The number and delays of a failed job's retries. */
export interface RetryPolicy {
  /** Runs in all, the first included. */
  attempts: number
  /** The pause before the second run; each later one is twice as long. */
  firstPauseMs: number
  maxPauseMs: number
}

/** Ten runs with pauses of 1 s to 2 min, about 6 min in all. */
export const defaultRetryPolicy: RetryPolicy = { attempts: 10, firstPauseMs: 1000, maxPauseMs: 120_000 }

/** Returns whether a thrown value lets a job run again: a `DomainError` has that as a field, anything else does. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DomainError ? error.retryable : true
}

/** Returns the pause after the given number of failed runs (from 1) in ms: the exact pause or up to half less. */
export function retryPause(policy: RetryPolicy, failedRuns: number): number {
  const pause = Math.min(policy.firstPauseMs * 2 ** (failedRuns - 1), policy.maxPauseMs)
  return Math.round(pause * (1 - Math.random() / 2))
}
