import { createHash } from 'node:crypto'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { readOnce } from '../accounts/read-once.ts'
import { revokedTokensSecret, type SignInObjects } from '../accounts/sign-in-objects.ts'

/** Maximum that fits well into one object of a store. */
const maxEntries = 10_000

/** Returns whether a session was ended before its tokens expired. */
export function isRevoked(objects: SignInObjects, sessionId: string): boolean {
  return revokedOf(objects.secret(revokedTokensSecret)).has(entryName(sessionId))
}

/**
 * Ends a session: none of its tokens is valid any more, at every gateway. `until` is when the last of them expires, in
 * seconds since 1970; entries from before now are dropped.
 * @throws ResourceExhaustedError while 10,000 sessions are ended and not yet expired
 */
export async function revokeSession(
  objects: SignInObjects,
  sessionId: string,
  until: number,
  nowSeconds: number,
): Promise<void> {
  await objects.changeSecret(revokedTokensSecret, (texts) => {
    const living = [...readRevoked(texts)].filter(([, expiry]) => expiry >= nowSeconds)
    const entries = new Map(living).set(entryName(sessionId), until)
    if (entries.size > maxEntries) {
      throw new ResourceExhaustedError(
        `${maxEntries} sessions were signed out and have not expired; try again in an hour`,
      )
    }
    texts.set('tokens', [...entries].map(([id, expiry]) => `${id} ${expiry}\n`).join(''))
  })
}

/** Ids of other issuers may be any text of any length. */
function entryName(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('base64url')
}

/** One line for each session: the digest of its id and when its last token expires. */
function readRevoked(texts: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const lines = (texts.get('tokens') ?? '').split('\n')
  const entries = lines.map((line) => line.split(' ')).filter(([id]) => id !== '')
  return new Map(entries.map(([id = '', expiry]) => [id, Number(expiry)]))
}

const revokedOf = readOnce(readRevoked)
