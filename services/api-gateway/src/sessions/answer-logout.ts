import { type ContextValues, createContextValues } from '@connectrpc/connect'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import { peerAddress, peerAddressKey } from '@wadi/rpc/peer-address.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import { auditSignOut } from '../audit/audit-log.ts'
import type { tokenVerifier } from '../authentication/authenticate.ts'
import { callerKey } from '../authentication/caller.ts'
import { requestToken, tokenCookie, tokenCookieNames } from '../authentication/request-token.ts'
import { endSession } from './end-session.ts'
import type { SignIn } from './sign-in.ts'

/**
 * Answers `POST /auth/logout`, Argo CD's path: ends the session of the token, which a cookie or `authorization` carries,
 * and clears the cookies. A token that is no longer valid, and that of the operator, are answered alike.
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
      const cleared = [...new Set([tokenCookie, ...tokenCookieNames(cookie)])]
      response.writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'set-cookie': cleared.map((name) => `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`),
      })
      response.end(`${text}\n`)
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
  const text = requestToken({ get: (name) => headerText(request.headers[name]) })
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

function headerText(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null)
}
