import { createHash, timingSafeEqual } from 'node:crypto'
import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { createContextKey } from '@connectrpc/connect'
import { DomainError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { RequestGate } from '@wadi/rpc/start-server.ts'
import { decodeJwt } from 'jose/jwt/decode'
import { isAnonymousEnabled } from '../accounts/sign-in-settings.ts'
import { ownIssuer, projectSubject, type SessionToken } from '../sessions/session-token.ts'
import { sessionCookies } from '../sessions/session-cookies.ts'
import { renewedToken, type SignIn } from '../sessions/sign-in.ts'
import type { Verified } from '../sessions/verified.ts'
import { verifyToken } from '../sessions/verify-token.ts'
import { administrator, type Caller, callerKey, nobody } from './caller.ts'
import { headerToken, requestToken } from './request-token.ts'
import { isSameOrigin } from './same-origin.ts'

/** Returns who has a token of another issuer. @throws UnauthenticatedError when it is not valid here */
export type ForeignTokenVerifier = (token: string, issuer: string, signal: AbortSignal) => Promise<Caller>

/** Dependencies and settings of authentication. */
interface AuthenticationOptions {
  signIn: SignIn
  /** The token that the operator gave. */
  operatorToken: string
  /** Returns true for a method that accepts calls without a sign-in. */
  isOpenMethod: (service: DescService, method: DescMethod) => boolean
  /** For tokens whose `iss` is not ours; without it they are refused. */
  verifyForeignToken?: ForeignTokenVerifier
}

/** The token of ours that a call proves its caller with; undefined for the operator's and for those of others. */
export const sessionTokenKey = createContextKey<SessionToken | undefined>(undefined, {
  description: 'session token',
})

/**
 * Response header with the next token of the caller's session.
 * @internal
 */
export const renewTokenHeader = 'renew-token'

const foreignCookie =
  'a token in a cookie is taken only from pages of this server; send it as "authorization: Bearer …" instead'

/**
 * Finds out who calls, and refuses calls that need a caller and have none.
 *
 * Open methods learn the caller of a valid token and take every other call as one without a token: the version
 * probe of a command line has to succeed with an expired one.
 *
 * The token of a session is valid for an hour. A call in its second half is answered with the header `renew-token`: the
 * next token of the session, so that who works stays signed in until the session is `users.session.duration` old.
 *
 * A browser adds cookies to the requests of any page, so a token in a cookie proves its caller only in calls that a page of this
 * server makes; it is renewed in the cookie.
 */
export function authenticate(options: AuthenticationOptions): RequestGate {
  const { signIn, isOpenMethod } = options
  const verify = tokenVerifier(options)
  return async ({ service, method, requestHeader, responseHeader, url, values, signal }) => {
    const isOpen = isOpenMethod(service, method)
    const given = headerToken(requestHeader)
    const browser = { header: requestHeader, url }
    const isForeign = given === undefined && !isSameOrigin(browser)
    const carried = requestToken(requestHeader)
    const token = isForeign ? undefined : carried
    const verified = token === undefined ? undefined : await unlessOpen(isOpen, () => verify(token, signal))
    if (verified) {
      values.set(callerKey, verified.caller)
      values.set(sessionTokenKey, verified.token)
    } else if (isAnonymousEnabled(signIn.objects)) values.set(callerKey, nobody)
    else if (!isOpen)
      throw new UnauthenticatedError(carried === undefined ? 'no session information' : foreignCookie)
    // Before the handler, so that what it does to the session also ends the renewed token.
    const renewed = verified?.token && (await renewedToken(signIn, verified.token))
    if (renewed === undefined) return
    if (given === undefined) {
      for (const line of sessionCookies(signIn, renewed, browser)) responseHeader.append('set-cookie', line)
    } else responseHeader.set(renewTokenHeader, renewed)
  }
}

async function unlessOpen<Value>(isOpen: boolean, verify: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await verify()
  } catch (error) {
    if (isOpen && error instanceof DomainError) return undefined
    throw error
  }
}

/** Returns what verifies tokens of any kind; it throws UnauthenticatedError with the reason. */
export function tokenVerifier({
  signIn,
  operatorToken,
  verifyForeignToken,
}: Omit<AuthenticationOptions, 'isOpenMethod'>): (token: string, signal: AbortSignal) => Promise<Verified> {
  const expected = digest(operatorToken)
  return async (text, signal) => {
    if (timingSafeEqual(digest(text), expected)) return { caller: administrator }
    const issuer = issuerOf(text)
    if (issuer !== ownIssuer) {
      if (verifyForeignToken) return { caller: await verifyForeignToken(text, issuer, signal) }
      throw new UnauthenticatedError('invalid session: the issuer of the token is not trusted here')
    }
    const token = await verifyToken(signIn, text)
    return { caller: callerOfToken(token), token }
  }
}

/** Digests have one length, so the comparison reveals nothing of the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Returns the issuer that a token names, unverified. */
function issuerOf(text: string): string {
  try {
    return decodeJwt(text).iss ?? ''
  } catch (error) {
    throw new UnauthenticatedError('invalid session: the token is not valid here', { cause: error })
  }
}

function callerOfToken({ owner, id, issuedAt, expiresAt }: SessionToken): Caller {
  const name = owner.kind === 'project' ? projectSubject(owner.project, owner.role) : owner.account
  return {
    subject: { sub: name, groups: [] },
    username: name,
    email: '',
    issuer: ownIssuer,
    tokenId: owner.kind === 'session' ? owner.session.id : id,
    issuedAt,
    expiresAt,
  }
}
