import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { ApplicationSetService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_set_service_pb.ts'
import { onBehalfOf } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'
import { explained, generationTimeoutMs, installed } from './installed.ts'

/** The RPCs of ApplicationSetService: appset-service decides, with the caller that this gateway vouches for. */
export function applicationSetRoutes(
  { appsetService }: Pick<GatewayContext, 'appsetService'>,
  draining: AbortSignal,
): ServiceImpl<typeof ApplicationSetService> {
  const options = (context: HandlerContext) => ({ ...onBehalfOf(context), timeoutMs: generationTimeoutMs })
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
        const call = onBehalfOf(context)
        const signal = AbortSignal.any([context.signal, draining])
        const events = appsetService.watchApplicationSets({ namespace, name }, { ...call, signal })
        for await (const { type, applicationSet } of events) {
          yield { type, ...(applicationSet && { applicationSet }) }
        }
      } catch (error) {
        if (!draining.aborted) throw explained(error)
      }
    },
    refreshApplicationSet: ({ namespace, name, confirmDeletions }, context) =>
      installed(appsetService.refreshApplicationSet({ namespace, name, confirmDeletions }, options(context))),
  }
}
