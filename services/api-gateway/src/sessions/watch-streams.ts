import type { Interceptor } from '@connectrpc/connect'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { withPauses } from '../applications/with-pauses.ts'
import { sessionTokenKey } from '../authentication/authenticate.ts'
import type { Verified } from './verified.ts'
import { administrator, type Caller, callerKey } from '../authentication/caller.ts'
import type { SignIn } from './sign-in.ts'
import { requireStillIn } from './verify-token.ts'

/** Maximum time that a stream continues without an event after its caller was signed out, in milliseconds. */
const checkMs = 1_000
/** Each holds the objects that it delivered. */
const maxStreams = 50

/**
 * Ends the streams of a caller whose session, account or token is no longer valid with UnauthenticatedError, and refuses the
 * 51st of an account at a time with ResourceExhaustedError; the operator's token has no limit.
 */
export function watchStreams(signIn: SignIn): Interceptor {
  const running = new Map<string, Set<AbortSignal>>()

  /** Counts a stream until its call is over. */
  function count({ subject, username }: Caller, signal: AbortSignal): void {
    const streams = running.get(subject.sub) ?? new Set()
    if (streams.size >= maxStreams) {
      throw new ResourceExhaustedError(
        `account ${username} has ${maxStreams} streams open, which is the limit; close one of them`,
      )
    }
    if (signal.aborted) return
    running.set(subject.sub, streams.add(signal))
    signal.addEventListener('abort', () => {
      streams.delete(signal)
      if (streams.size === 0) running.delete(subject.sub)
    })
  }

  async function* whileIn<Message>(
    messages: AsyncIterable<Message>,
    verified: Verified,
    signal: AbortSignal,
  ): AsyncGenerator<Message> {
    for await (const message of withPauses(messages, checkMs)) {
      if (signal.aborted) return
      requireStillIn(signIn, verified)
      if (message !== undefined) yield message
    }
  }

  return (next) => async (request) => {
    const caller = request.contextValues.get(callerKey)
    if (!request.stream || !caller) return next(request)
    if (caller !== administrator) count(caller, request.signal)
    const response = await next(request)
    if (!response.stream) return response
    const token = request.contextValues.get(sessionTokenKey)
    const verified = { caller, ...(token && { token }) }
    return { ...response, message: whileIn(response.message, verified, request.signal) }
  }
}
