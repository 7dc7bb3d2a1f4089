import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { newTokenId } from '../sessions/session-token.ts'
import type { ListedToken } from './listed-token.ts'

/** The year 10000 is the end of what time formats write. */
const latestExpiry = 253_402_300_800

/**
 * Returns what a new API key or project token is listed as.
 * @throws InvalidInputError for an id or a lifetime that cannot be
 */
export function newListedToken(
  { id, expiresIn }: { id: string; expiresIn: bigint },
  issuedAt: number,
): ListedToken {
  if (!/^[\w.:@-]{0,128}$/.test(id)) {
    throw new InvalidInputError('id: at most 128 letters, digits and the signs . : @ _ - are possible')
  }
  const expiresAt = expiresIn === 0n ? 0 : issuedAt + Number(expiresIn)
  if (expiresIn < 0n || expiresAt >= latestExpiry) {
    throw new InvalidInputError(`expiresIn: ${expiresIn} seconds is out of range; 0 means no expiry`)
  }
  return { id: id || newTokenId(), issuedAt, expiresAt }
}
