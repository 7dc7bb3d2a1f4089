import { ConnectError, type HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { GenerateApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_set_service_pb.ts'
import type { GatewayContext } from '../context.ts'

/** appset-service ends a generation at a time that its operator sets; this is for one that hangs. */
const timeoutMs = 600_000

/** Returns the Applications that an ApplicationSet generates now. */
export function generateApplications({ appsetService }: Pick<GatewayContext, 'appsetService'>) {
  return async ({ applicationSet }: GenerateApplicationsRequest, { signal }: HandlerContext) => {
    try {
      const { applications } = await appsetService.generateApplications(
        { applicationSet },
        { signal, timeoutMs },
      )
      return { applications }
    } catch (error) {
      if (!isAbsence(error)) throw error
      throw new FailedPreconditionError(
        'ApplicationSets are not available: appset-service is not installed or not running; ' +
          'start it, or set WADI_APPSET_SERVICES of the gateway to where it is',
        { cause: error },
      )
    }
  }
}

/** Whether nobody answered; an appset-service that misses another service says so in an answer. */
function isAbsence(error: unknown): boolean {
  const isAnswer = error instanceof Error && error.cause instanceof ConnectError && error.cause.isWireError
  return error instanceof UnavailableError && !isAnswer
}
