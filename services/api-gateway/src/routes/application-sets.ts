import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { explained, passOn } from '../application-sets/pass-on.ts'
import { onBehalfOf } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'

/** The RPCs of ApplicationSetService, all passed on to appset-service, which decides; streams end when the gateway drains. */
export function applicationSetRoutes(
  { applicationSets: sets }: Pick<GatewayContext, 'applicationSets'>,
  draining: AbortSignal,
) {
  return {
    generateApplications: (request, call) =>
      passOn(call, (options) => sets.generateApplications(request, options)),
    applyApplicationSet: (request, call) =>
      passOn(call, (options) => sets.applyApplicationSet(request, options)),
    deleteApplicationSet: (request, call) =>
      passOn(call, (options) => sets.deleteApplicationSet(request, options)),
    getApplicationSet: (request, call) => passOn(call, (options) => sets.getApplicationSet(request, options)),
    listApplicationSets: (request, call) =>
      passOn(call, (options) => sets.listApplicationSets(request, options)),
    refreshApplicationSet: (request, call) =>
      passOn(call, (options) => sets.refreshApplicationSet(request, options)),
    async *watchApplicationSets(request, call: HandlerContext) {
      try {
        const signal = AbortSignal.any([call.signal, draining])
        yield* sets.watchApplicationSets(request, { ...onBehalfOf(call), signal })
      } catch (error) {
        if (!draining.aborted) throw explained(error)
      }
    },
  } satisfies ServiceImpl<typeof ApplicationSetService>
}
