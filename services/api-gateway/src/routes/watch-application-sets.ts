import type { HandlerContext } from '@connectrpc/connect'
import type { WatchApplicationSetsRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { explained } from '../application-sets/pass-on.ts'
import { onBehalfOf } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'

/** Streams the ApplicationSets that the caller may see, and their changes, until the gateway drains. */
export function watchApplicationSets(
  { applicationSets }: Pick<GatewayContext, 'applicationSets'>,
  draining: AbortSignal,
) {
  return async function* (request: WatchApplicationSetsRequest, context: HandlerContext) {
    try {
      const signal = AbortSignal.any([context.signal, draining])
      yield* applicationSets.watchApplicationSets(request, { ...onBehalfOf(context), signal })
    } catch (error) {
      if (!draining.aborted) throw explained(error)
    }
  }
}
