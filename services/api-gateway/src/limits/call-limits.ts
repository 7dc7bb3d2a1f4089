import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from '../authentication/caller.ts'

/** How many calls are taken in a minute. */
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
  countStranger(address: string): Promise<void>
  /**
   * Counts an attempt to sign in, whoever is signed in already, as ten calls: comparing a password is much work.
   * @throws ResourceExhaustedError
   */
  countSignIn(address: string): Promise<void>
}

const windowSeconds = 60
const signInCalls = 10

/** Counters of one gateway, in memory: with several gateways the limits count for each. */
export function createCallLimits({ perAccount, perAddress }: CallLimitSettings): CallLimits {
  const accounts = counter('account', perAccount)
  const addresses = counter('address', perAddress)
  return {
    async count({ subject, tokenId, username }) {
      if (tokenId !== '' || subject.sub === '') await accounts(subject.sub, username)
    },
    countStranger: (address) => addresses(network(address), address),
    countSignIn: (address) => addresses(network(address), address, Math.min(signInCalls, perAddress)),
  }
}

type Counter = (key: string, name: string, calls?: number) => Promise<void>

function counter(kind: string, limit: number): Counter {
  if (limit === 0) return async () => undefined
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds })
  return async (key, name, calls = 1) => {
    try {
      await limiter.consume(key, calls)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const seconds = Math.ceil(refusal.msBeforeNext / 1_000)
      throw new ResourceExhaustedError(
        `${kind} ${name} has made ${limit} calls in a minute, which is the limit; try again in ${seconds} s`,
      )
    }
  }
}

/**
 * One household or company has a whole /64 of IPv6 addresses, however they are spelt. Some proxies tell the port too,
 * which is another for every connection.
 */
function network(address: string): string {
  const host = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1')
  const url = host.includes(':') ? URL.parse(`http://[${host}]`) : null
  if (!url) return host
  const [head = '', tail] = url.hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const rest = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0')
  const all = [...groups, ...zeros, ...rest]
  const isMapped = all.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return (isMapped ? all : all.slice(0, 4)).join(':')
}
