import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { markSessionEnded } from './session.ts'

/** Asks for the token as a cookie, which no script can read, and records when the server no longer accepts it. */
const withSession: Interceptor = (next) => async (request) => {
  const isSignIn = request.method === SessionService.method.create
  if (isSignIn) request.header.set('wadi-session', 'cookie')
  try {
    const response = await next(request)
    return response.stream ? { ...response, message: watched(response.message) } : response
  } catch (error) {
    if (!isSignIn) markIfEnded(error)
    throw error
  }
}

/** The messages of a stream, which the server ends when it no longer accepts the session. */
async function* watched<Message>(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  try {
    yield* messages
  } catch (error) {
    markIfEnded(error)
    throw error
  }
}

function markIfEnded(error: unknown): void {
  if (ConnectError.from(error).code === Code.Unauthenticated) markSessionEnded()
}

/** Calls the gateway that served the page. */
export const transport = createConnectTransport({
  baseUrl: globalThis.location.origin,
  useBinaryFormat: true,
  interceptors: [withSession],
})
