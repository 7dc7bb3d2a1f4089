import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { peerNetwork } from '@wadi/rpc/connections/peer-network.ts'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import type { Caller } from '../authentication/caller.ts'
import type { SharedCounters } from './shared-counters.ts'

/** Limits on the calls in a minute. */
export interface CallLimitSettings {
  /** Of one account; 0 for any number. */
  perAccount: number
  /** Of everybody at one address who is not signed in; 0 for any number. */
  perAddress: number
}

/** Counts calls and refuses those above the limits. */
export interface CallLimits {
  /**
   * Counts a call of somebody who is signed in; the operator's own token has no limit.
   * @throws ResourceExhaustedError
   */
  count(caller: Caller): Promise<void>
  /**
   * Counts a call of somebody who is not signed in, or who failed to be.
   * @throws ResourceExhaustedError
   */
  countAnonymous(address: string): Promise<void>
  /**
   * Counts an attempt to sign in, whoever is signed in already, as ten calls: comparing a password is much work.
   * @throws ResourceExhaustedError
   */
  countSignIn(address: string): Promise<void>
}

const windowSeconds = 60
const signInCalls = 10

/** Limits that apply to all gateways together where they share counters, and else to each. */
export function createCallLimits(
  { perAccount, perAddress }: CallLimitSettings,
  counters?: SharedCounters,
): CallLimits {
  const accounts = counter('account', perAccount, counters)
  const addresses = counter('address', perAddress, counters)
  return {
    async count({ subject, tokenId, username }) {
      if (tokenId !== '' || subject.sub === '') await accounts(subject.sub, username)
    },
    countAnonymous: (address) => addresses(peerNetwork(address), address),
    countSignIn: (address) => addresses(peerNetwork(address), address, Math.min(signInCalls, perAddress)),
  }
}

type Counter = (key: string, name: string, calls?: number) => Promise<void>

function counter(kind: string, limit: number, counters: SharedCounters | undefined): Counter {
  if (limit === 0) return async () => undefined
  const options = { name: `calls-of-${kind}`, points: limit, duration: windowSeconds }
  const limiter = counters?.insured(options) ?? new RateLimiterMemory(options)
  return async (key, name, calls = 1) => {
    try {
      await limiter.consume(key, calls)
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection
      const seconds = Math.ceil(rejection.msBeforeNext / 1_000)
      throw new ResourceExhaustedError(
        `${kind} ${name} has made ${limit} calls in a minute, which is the limit; try again in ${seconds} s`,
      )
    }
  }
}
