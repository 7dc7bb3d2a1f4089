import { randomUUID } from 'node:crypto'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { tokenError } from '@wadi/rpc/token-error.ts'
import type { JWTPayload } from 'jose'
import {
  JOSEAlgNotAllowed,
  JOSEError,
  JWSSignatureVerificationFailed,
  JWTClaimValidationFailed,
  JWTExpired,
} from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { SignInObjects } from '../accounts/sign-in-objects.ts'
import { renewKeys, sessionKeys, signingKey } from './key-ring.ts'

/** The issuer of our tokens, as in Argo CD: its command line shows it. */
export const ownIssuer = 'argocd'

const audience = 'wadi'
const algorithm = 'HS256'
const clockToleranceSeconds = 5

/**
 * The holder of a token of ours.
 * @internal
 */
export type TokenOwner =
  | { kind: 'session'; account: string; session: Session }
  | { kind: 'apiKey'; account: string }
  | { kind: 'project'; project: string; role: string }

/** One sign-in; the tokens that follow each other by renewal belong to the same. */
export interface Session {
  id: string
  /** In seconds since 1970. */
  startedAt: number
}

/** The contents of one of our tokens. */
export interface SessionToken {
  owner: TokenOwner
  /** The id under which the token is listed; random for a session's. */
  id: string
  /** In seconds since 1970. */
  issuedAt: number
  /** In seconds since 1970; 0 for never. */
  expiresAt: number
}

/** Signs a token. @throws FailedPreconditionError when the keys cannot be read */
export async function signToken(
  objects: SignInObjects,
  token: SessionToken,
  nowSeconds: number,
): Promise<string> {
  if (!signingKey(objects, nowSeconds)) await renewKeys(objects, nowSeconds)
  const signing = signingKey(objects, nowSeconds)
  if (!signing) throw new Error('the stored session key is missing')
  const { owner, id, issuedAt, expiresAt } = token
  const session = owner.kind === 'session' ? owner.session : undefined
  const jwt = new SignJWT(session ? { sid: session.id, auth_time: session.startedAt } : {})
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: signing.kid })
    .setIssuer(ownIssuer)
    .setAudience(audience)
    .setSubject(subjectOf(owner))
    .setJti(id)
    .setIssuedAt(issuedAt)
    .setNotBefore(Math.floor(nowSeconds))
  if (expiresAt !== 0) jwt.setExpirationTime(expiresAt)
  return jwt.sign(signing.key)
}

/** Returns a random id for a token. */
export function newTokenId(): string {
  return randomUUID()
}

/**
 * Reads a token of ours whose signature, time, issuer and audience are right. Whether what it names still exists is for
 * others to say.
 * @throws UnauthenticatedError with the reason
 */
export async function readToken(
  objects: SignInObjects,
  text: string,
  nowSeconds: number,
): Promise<SessionToken> {
  const claims = await verifiedClaims(objects, text, nowSeconds)
  const owner = ownerOf(claims)
  const { jti, iat, exp } = claims
  const isForever = exp === undefined
  if (!owner || typeof jti !== 'string' || iat === undefined || (owner.kind === 'session' && isForever)) {
    throw new UnauthenticatedError('invalid session: the token names no account and no project role')
  }
  return { owner, id: jti, issuedAt: iat, expiresAt: exp ?? 0 }
}

async function verifiedClaims(objects: SignInObjects, text: string, nowSeconds: number): Promise<JWTPayload> {
  const keys = sessionKeys(objects)
  try {
    const { payload } = await jwtVerify(
      text,
      ({ kid }) => {
        const found = keys.find((key) => key.kid === kid)
        if (found) return found.key
        throw new UnauthenticatedError('invalid session: the token was signed with an unknown key')
      },
      {
        algorithms: [algorithm],
        issuer: ownIssuer,
        audience,
        requiredClaims: ['sub', 'jti', 'iat', 'nbf'],
        currentDate: new Date(nowSeconds * 1_000),
        clockTolerance: clockToleranceSeconds,
      },
    )
    return payload
  } catch (error) {
    if (!(error instanceof JOSEError)) throw error
    throw new UnauthenticatedError(`invalid session: ${reasonOf(error, text, nowSeconds)}`, { cause: error })
  }
}

function reasonOf(error: JOSEError, text: string, nowSeconds: number): string {
  if (error instanceof JWTExpired) return 'the token has expired; sign in again'
  if (error instanceof JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'the token is for another audience'
    return ['nbf', 'iat'].includes(error.claim)
      ? tokenError(error, text, nowSeconds * 1_000)
      : `the claim ${error.claim} is not right`
  }
  if (error instanceof JOSEAlgNotAllowed) return `tokens must be signed with ${algorithm}`
  if (error instanceof JWSSignatureVerificationFailed) return 'the signature is wrong'
  return 'the token is not valid here'
}

function subjectOf(owner: TokenOwner): string {
  if (owner.kind === 'project') return projectSubject(owner.project, owner.role)
  return `${owner.account}:${owner.kind === 'session' ? 'login' : 'apiKey'}`
}

/** Returns what policies call the tokens of a role of a project. */
export function projectSubject(project: string, role: string): string {
  return `proj:${project}:${role}`
}

function ownerOf({ sub = '', sid, auth_time: startedAt }: JWTPayload): TokenOwner | undefined {
  const [first = '', second, third, ...more] = sub.split(':')
  if (more.length > 0 || first === '') return undefined
  if (third !== undefined) {
    return first === 'proj' && second ? { kind: 'project', project: second, role: third } : undefined
  }
  if (second === 'apiKey') return { kind: 'apiKey', account: first }
  if (second !== 'login' || typeof sid !== 'string' || typeof startedAt !== 'number') return undefined
  return { kind: 'session', account: first, session: { id: sid, startedAt } }
}
