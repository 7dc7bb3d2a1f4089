import { createHash } from 'node:crypto'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { subjectOfClaims } from '@wadi/rbac/decide/claims.ts'
import type { JWTPayload } from 'jose'
import type { Caller } from '../authentication/caller.ts'

/**
 * Returns who the verified claims of a provider's token name. A provider's users cannot pass for accounts of this server
 * or for the roles of projects, and its groups not for roles, whatever the provider lets them call themselves.
 * @throws UnauthenticatedError for a name that means somebody else here
 */
export function callerOfClaims(
  token: string,
  claims: JWTPayload,
  { scopes, isAccount }: { scopes: readonly string[]; isAccount: (name: string) => boolean },
): Caller {
  const subject = subjectOfClaims(claims, scopes)
  if (subject.sub === '' || isReserved(subject.sub) || isAccount(subject.sub)) {
    throw new UnauthenticatedError(
      `invalid session: the provider's name ${JSON.stringify(subject.sub)} means somebody else here`,
    )
  }
  const groups = subject.groups.filter((group) => !isReserved(group) && !isAccount(group))
  const email = claims['email_verified'] === false ? '' : textOf(claims['email'])
  return {
    subject: { sub: subject.sub, groups },
    username: email || textOf(claims['preferred_username']) || textOf(claims['name']) || subject.sub,
    email,
    issuer: claims.iss ?? '',
    tokenId: createHash('sha256').update(signedPart(token)).digest('base64url'),
    issuedAt: claims.iat ?? 0,
    expiresAt: claims.exp ?? 0,
  }
}

/** A signature can be spelt in several ways, what is signed in one alone. */
function signedPart(token: string): string {
  return token.slice(0, token.lastIndexOf('.'))
}

function isReserved(name: string): boolean {
  return /^(?:role|proj):/.test(name)
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : ''
}
