import type { HandlerContext } from '@connectrpc/connect'
import type { DeleteApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { passOn } from '../application-sets/pass-on.ts'
import type { GatewayContext } from '../context.ts'

/** Deletes an ApplicationSet with its Applications, or without them; appset-service decides. */
export function deleteApplicationSet({ applicationSets }: Pick<GatewayContext, 'applicationSets'>) {
  return (request: DeleteApplicationSetRequest, call: HandlerContext) =>
    passOn(call, (options) => applicationSets.deleteApplicationSet(request, options))
}
