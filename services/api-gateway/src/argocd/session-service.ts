import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import {
  FailedPreconditionError,
  InvalidInputError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import type { SessionCreateRequest, SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { sessionTokenKey } from '../authentication/authenticate.ts'
import { administrator, callerKey } from '../authentication/caller.ts'
import { tokenCookieNames } from '../authentication/request-token.ts'
import { isSameOrigin } from '../authentication/same-origin.ts'
import { clearedTokenCookies } from '../authentication/token-cookies.ts'
import type { GatewayContext } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { sessionCookies } from '../sessions/session-cookies.ts'
import { type SignIn, startSession } from '../sessions/sign-in.ts'
import { requireCapability } from '../sessions/verify-token.ts'

/** Request header of a sign-in whose token is wanted as an HttpOnly cookie: `cookie`. */
const sessionHeader = 'wadi-session'

/** Argo CD's session service, whose methods need no caller. */
export function argocdSessions({
  signIn,
}: Pick<GatewayContext, 'signIn'>): ServiceImpl<typeof SessionService> {
  return {
    create: async (request, call) => {
      const isInBrowser = wantsCookie(call)
      const token = await signInWithPassword(signIn, request)
      if (!isInBrowser) return { token }
      const browser = { header: call.requestHeader, url: call.url }
      for (const line of sessionCookies(signIn, token, browser))
        call.responseHeader.append('set-cookie', line)
      return {}
    },
    delete: async (_request, call) => {
      await signOut(signIn, call)
      const cookies = call.requestHeader.get('cookie') ?? ''
      if (tokenCookieNames(cookies).length > 0) {
        for (const line of clearedTokenCookies(cookies)) call.responseHeader.append('set-cookie', line)
      }
      return {}
    },
    getUserInfo: (_request, call) => userInfo(call),
  }
}

/**
 * Returns whether a page wants the token in a cookie. Pages of others could sign a browser in as somebody of theirs.
 * @throws PermissionDeniedError for those, InvalidInputError for another value of the header
 */
function wantsCookie({ requestHeader, url }: HandlerContext): boolean {
  const wanted = requestHeader.get(sessionHeader)
  if (wanted === null) return false
  if (wanted !== 'cookie') {
    throw new InvalidInputError(`${sessionHeader} is ${JSON.stringify(wanted)}; expected cookie`)
  }
  if (isSameOrigin({ header: requestHeader, url })) return true
  throw new PermissionDeniedError('only pages of this server can sign a browser in')
}

/** Only those who know its password learn whether the account may sign in. */
async function signInWithPassword(
  signIn: SignIn,
  { username, password, token }: SessionCreateRequest,
): Promise<string> {
  if (token !== '') throw new InvalidInputError('token: sign in with username and password')
  const account = await signIn.checkPassword(username, password)
  requireCapability(account, 'login')
  return startSession(signIn, account)
}

/** Signs the caller out; without effect for a caller who is not signed in. */
async function signOut(signIn: SignIn, { values }: HandlerContext): Promise<void> {
  const caller = values.get(callerKey)
  if (caller === administrator) {
    throw new FailedPreconditionError(
      'the token of the operator is not revoked by signing out: give the gateway another WADI_ADMIN_TOKEN',
    )
  }
  const token = values.get(sessionTokenKey)
  if (caller) await endSession(signIn, { caller, ...(token && { token }) })
}

function userInfo({ values }: HandlerContext) {
  const caller = values.get(callerKey)
  if (!caller || caller.issuer === '') return { loggedIn: false }
  return {
    loggedIn: true,
    username: caller.username,
    iss: caller.issuer,
    groups: [...caller.subject.groups],
  }
}
