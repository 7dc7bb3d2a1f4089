import type { HandlerContext } from '@connectrpc/connect'
import type { GetApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { passOn } from '../application-sets/pass-on.ts'
import type { GatewayContext } from '../context.ts'

/** Returns an ApplicationSet that the caller may see; appset-service decides. */
export function getApplicationSet({ applicationSets }: Pick<GatewayContext, 'applicationSets'>) {
  return (request: GetApplicationSetRequest, call: HandlerContext) =>
    passOn(call, (options) => applicationSets.getApplicationSet(request, options))
}
