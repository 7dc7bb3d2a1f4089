import { ConnectError } from '@connectrpc/connect'
import type { CallOptions, HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { onBehalfOf } from '../authentication/caller.ts'

/** appset-service ends a generation at a time that its operator sets; this is for one that hangs, in milliseconds. */
const generationTimeoutMs = 600_000

/**
 * Passes a call on to appset-service, which decides for the caller that this gateway vouches for. Messages go both ways as they
 * are: a new field of the contract needs no edit here, and one that this gateway does not know stays in the answer.
 * @throws the error of appset-service, or that of `explained` if it does not answer
 */
export async function passOn<Answer>(
  context: Pick<HandlerContext, 'values' | 'signal'>,
  call: (options: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call({ ...onBehalfOf(context), timeoutMs: generationTimeoutMs })
  } catch (error) {
    throw explained(error)
  }
}

/**
 * The error for the caller: that nobody answered means that there is no appset-service; one that misses another service
 * says so in an answer.
 */
export function explained(error: unknown): unknown {
  const isAnswer = error instanceof Error && error.cause instanceof ConnectError && error.cause.isWireError
  if (!(error instanceof UnavailableError) || isAnswer) return error
  return new FailedPreconditionError(
    'ApplicationSets are not available: appset-service is not installed or not running; ' +
      'start it, or set WADI_APPSET_SERVICES of the gateway to where it is',
    { cause: error },
  )
}
