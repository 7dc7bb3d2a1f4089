import type { HandlerContext } from '@connectrpc/connect'
import type { ApplyApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { passOn } from '../application-sets/pass-on.ts'
import type { GatewayContext } from '../context.ts'

/** Creates an ApplicationSet or changes the stored one to it; appset-service decides. */
export function applyApplicationSet({ applicationSets }: Pick<GatewayContext, 'applicationSets'>) {
  return (request: ApplyApplicationSetRequest, call: HandlerContext) =>
    passOn(call, (options) => applicationSets.applyApplicationSet(request, options))
}
