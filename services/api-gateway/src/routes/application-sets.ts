import type { Message } from '@bufbuild/protobuf'
import { ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ApplicationSetService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_set_service_pb.ts'
import { onBehalfOf } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'

/** appset-service ends a generation at a time that its operator sets; this is for one that hangs. */
const timeoutMs = 600_000

/** The RPCs of ApplicationSetService: appset-service decides, with the caller that this gateway vouches for. */
export function applicationSetRoutes({
  appsetService,
}: Pick<GatewayContext, 'appsetService'>): ServiceImpl<typeof ApplicationSetService> {
  const options = (context: HandlerContext) => ({ ...onBehalfOf(context), timeoutMs })
  return {
    generateApplications: ({ applicationSet }, context) =>
      installed(appsetService.generateApplications({ applicationSet }, options(context))),
    applyApplicationSet: ({ applicationSet, upsert, dryRun, confirmDeletions }, context) =>
      installed(
        appsetService.applyApplicationSet(
          { applicationSet, upsert, dryRun, confirmDeletions },
          options(context),
        ),
      ),
    deleteApplicationSet: ({ namespace, name, orphan }, context) =>
      installed(appsetService.deleteApplicationSet({ namespace, name, orphan }, options(context))),
    getApplicationSet: ({ namespace, name }, context) =>
      installed(appsetService.getApplicationSet({ namespace, name }, options(context))),
    listApplicationSets: ({ namespace, selector, projects }, context) =>
      installed(appsetService.listApplicationSets({ namespace, selector, projects }, options(context))),
    async *watchApplicationSets({ namespace, name }, context) {
      try {
        const events = appsetService.watchApplicationSets({ namespace, name }, onBehalfOf(context))
        for await (const { type, applicationSet } of events) {
          yield { type, ...(applicationSet && { applicationSet }) }
        }
      } catch (error) {
        throw explained(error)
      }
    },
    refreshApplicationSet: ({ namespace, name, confirmDeletions }, context) =>
      installed(appsetService.refreshApplicationSet({ namespace, name, confirmDeletions }, options(context))),
  }
}

/** The fields of an answer, which the gateway's own message of the same form takes over. */
async function installed<Answer extends Message>(
  answer: Promise<Answer>,
): Promise<Omit<Answer, '$typeName' | '$unknown'>> {
  try {
    const { $typeName: _type, $unknown: _unknown, ...fields } = await answer
    return fields
  } catch (error) {
    throw explained(error)
  }
}

/** That nobody answered means that there is no appset-service; one that misses another service says so in an answer. */
function explained(error: unknown): unknown {
  const isAnswer = error instanceof Error && error.cause instanceof ConnectError && error.cause.isWireError
  if (!(error instanceof UnavailableError) || isAnswer) return error
  return new FailedPreconditionError(
    'ApplicationSets are not available: appset-service is not installed or not running; ' +
      'start it, or set WADI_APPSET_SERVICES of the gateway to where it is',
    { cause: error },
  )
}
