import { type ContextValues, createContextValues } from '@connectrpc/connect'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import { peerAddress, peerAddressKey } from '@wadi/rpc/peer-address.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import { auditSignOut } from '../audit/audit-log.ts'
import type { tokenVerifier } from '../authentication/authenticate.ts'
import { callerKey } from '../authentication/caller.ts'
import { headerToken, requestToken } from '../authentication/request-token.ts'
import { isSameOrigin } from '../authentication/same-origin.ts'
import { clearedTokenCookies } from '../authentication/token-cookies.ts'
import { browserRequest } from './browser-request.ts'
import { endSession } from './end-session.ts'
import type { SignIn } from './sign-in.ts'

/**
 * Answers `POST /auth/logout`, Argo CD's path: ends the session of the token, which a cookie or `authorization` carries,
 * and clears the cookies. A token that is no longer valid, and that of the operator, are answered alike. A request with cookies
 * alone that no page of this server made is answered with 403.
 */
export function answerLogout(
  signIn: SignIn,
  verify: ReturnType<typeof tokenVerifier>,
  { logger, auditLog, trustedProxies }: { logger: Logger; auditLog: Logger; trustedProxies: number },
) {
  return (request: NodeServerRequest, response: NodeServerResponse): boolean => {
    if (request.method !== 'POST' || request.url?.split('?', 1)[0] !== '/auth/logout') return false
    // What the caller sends with it means nothing.
    request.resume()
    const { cookie = '' } = request.headers
    const answer = (status: number, text: string): void => {
      response.writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'set-cookie': status === 403 ? [] : clearedTokenCookies(cookie),
      })
      response.end(`${text}\n`)
    }
    const browser = browserRequest(request)
    if (cookie !== '' && headerToken(browser.header) === undefined && !isSameOrigin(browser)) {
      answer(403, 'only pages of this server can sign a browser out')
      return true
    }
    const values = createContextValues().set(peerAddressKey, peerAddress(request, trustedProxies))
    signOut(signIn, verify, request, values).then(
      (isKnown) => {
        if (isKnown) auditSignOut(auditLog, values)
        answer(200, 'signed out')
      },
      (error: unknown) => {
        auditSignOut(auditLog, values, error)
        logger.error({ err: error }, 'sign-out failed')
        answer(503, 'the session could not be ended; try again')
      },
    )
    return true
  }
}

/** Returns whether there was anybody to sign out; `values` record who it was. */
async function signOut(
  signIn: SignIn,
  verify: ReturnType<typeof tokenVerifier>,
  request: NodeServerRequest,
  values: ContextValues,
): Promise<boolean> {
  const text = requestToken(browserRequest(request).header)
  if (text === undefined) return false
  const verified = await verify(text, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined
    throw error
  })
  if (!verified) return false
  values.set(callerKey, verified.caller)
  await endSession(signIn, verified)
  return true
}
