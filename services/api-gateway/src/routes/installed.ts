import type { Message } from '@bufbuild/protobuf'
import { ConnectError } from '@connectrpc/connect'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'

/** appset-service ends a generation at a time that its operator sets; this is for one that hangs, in milliseconds. */
export const generationTimeoutMs = 600_000

/**
 * The fields of an answer of appset-service, which the gateway's own message of the same form takes over.
 * @throws what appset-service answers, and what `explained` makes of it when there is none
 */
export async function installed<Answer extends Message>(
  answer: Promise<Answer>,
): Promise<Omit<Answer, '$typeName' | '$unknown'>> {
  try {
    const { $typeName: _type, $unknown: _unknown, ...fields } = await answer
    return fields
  } catch (error) {
    throw explained(error)
  }
}

/**
 * The error to tell: that nobody answered means that there is no appset-service; one that misses another service says so
 * in an answer.
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
