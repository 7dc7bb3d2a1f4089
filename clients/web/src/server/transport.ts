import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { markSessionEnded } from './session.ts'

/** Asks for the token as a cookie, which no script can read, and records when the server no longer accepts it. */
const withSession: Interceptor = (next) => async (request) => {
  const isSignIn = request.method === SessionService.method.create
  if (isSignIn) request.header.set('wadi-session', 'cookie')
  try {
    return await next(request)
  } catch (error) {
    if (!isSignIn && ConnectError.from(error).code === Code.Unauthenticated) markSessionEnded()
    throw error
  }
}

/** Calls the gateway that served the page. */
export const transport = createConnectTransport({
  baseUrl: globalThis.location.origin,
  useBinaryFormat: true,
  interceptors: [withSession],
})
