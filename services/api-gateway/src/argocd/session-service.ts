import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { SessionCreateRequest, SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { sessionTokenKey } from '../authentication/authenticate.ts'
import { administrator, callerKey } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { type SignIn, startSession } from '../sessions/sign-in.ts'
import { requireCapability } from '../sessions/verify-token.ts'

/** Argo CD's session service, whose methods need no caller. */
export function argocdSessions({
  signIn,
}: Pick<GatewayContext, 'signIn'>): ServiceImpl<typeof SessionService> {
  return {
    create: async (request) => ({ token: await signInWithPassword(signIn, request) }),
    delete: async (_request, call) => {
      await signOut(signIn, call)
      return {}
    },
    getUserInfo: (_request, call) => userInfo(call),
  }
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

/** Who is not signed in is signed out already. */
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
