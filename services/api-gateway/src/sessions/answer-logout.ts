import { DomainError } from '@wadi/errors/domain-error.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { tokenVerifier } from '../authentication/authenticate.ts'
import { requestToken, tokenCookie, tokenCookieNames } from '../authentication/request-token.ts'
import { endSession } from './end-session.ts'
import type { SignIn } from './sign-in.ts'

/**
 * Answers `POST /auth/logout`, Argo CD's path: ends the session of the token, which a cookie or `authorization` carries,
 * and clears the cookies. A token that does not count any more, and that of the operator, are answered alike.
 */
export function answerLogout(signIn: SignIn, verify: ReturnType<typeof tokenVerifier>, logger: Logger) {
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
    signOut(signIn, verify, request).then(
      () => answer(200, 'signed out'),
      (error: unknown) => {
        logger.error({ err: error }, 'sign-out failed')
        answer(503, 'the session could not be ended; try again')
      },
    )
    return true
  }
}

async function signOut(
  signIn: SignIn,
  verify: ReturnType<typeof tokenVerifier>,
  request: NodeServerRequest,
): Promise<void> {
  const text = requestToken({ get: (name) => headerText(request.headers[name]) })
  if (text === undefined) return
  const verified = await verify(text, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined
    throw error
  })
  if (verified) await endSession(signIn, verified)
}

function headerText(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null)
}
