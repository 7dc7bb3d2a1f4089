import { LRUCache } from 'lru-cache'
import type { CallingService } from './service-identity.ts'

const maxTokens = 1_000
const maxMs = 60_000

/** Whose a token is, and until when it is valid, in seconds since 1970. */
export interface VerifiedToken {
  readonly caller: CallingService
  readonly until: number
}

/**
 * Returns what verifies tokens, each of them once until it is no longer valid, a minute at most: callers send the same one with many calls.
 * @param verify throws for a token that is not valid, which is verified again each time
 */
export function rememberTokens(
  verify: (token: string) => Promise<VerifiedToken>,
): (token: string) => Promise<CallingService> {
  const known = new LRUCache<string, CallingService>({ max: maxTokens })
  return async (token) => {
    const hit = known.get(token)
    if (hit !== undefined) return hit
    const { caller, until } = await verify(token)
    const ttl = Math.floor(Math.min(until * 1_000 - Date.now(), maxMs))
    if (ttl > 0) known.set(token, caller, { ttl })
    return caller
  }
}
