import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { SharedCounters } from '../limits/shared-counters.ts'
import { maxFailures, type SignInFailures, windowSeconds } from './sign-in-failures.ts'

/** Remembers failed sign-ins; times are in seconds. */
export interface FailedSignIns {
  /** Returns whether a name has to wait before another password is compared. */
  mustWait(name: string, nowSeconds: number): Promise<boolean>
  record(name: string, nowSeconds: number): Promise<void>
  /** Forgets the failures of a name that gave the right password. */
  forgive(name: string): Promise<void>
}

/** Counts failures over all gateways, so that more gateways allow no more guesses, and in this process while Redis is away. */
export function sharedSignInFailures(
  own: SignInFailures,
  counters: SharedCounters | undefined,
): FailedSignIns {
  const shared = counters?.strict({ name: 'failed-sign-ins', points: maxFailures, duration: windowSeconds })
  return {
    async mustWait(name, nowSeconds) {
      const counted = await answerOf(shared, (limiter) => limiter.get(name))
      if (counted === undefined) return own.mustWait(name, nowSeconds)
      return counted !== null && counted.consumedPoints >= maxFailures
    },
    async record(name, nowSeconds) {
      own.record(name, nowSeconds)
      await answerOf(shared, (limiter) => limiter.penalty(name))
    },
    async forgive(name) {
      own.forgive(name)
      await answerOf(shared, (limiter) => limiter.delete(name))
    },
  }
}

/** Undefined when nothing is shared or Redis is away, which the counters report themselves. */
async function answerOf<T>(
  limiter: RateLimiterAbstract | undefined,
  ask: (limiter: RateLimiterAbstract) => Promise<T>,
): Promise<T | undefined> {
  if (limiter === undefined) return undefined
  return ask(limiter).catch(() => undefined)
}
