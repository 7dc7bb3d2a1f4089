import type { HandlerContext } from '@connectrpc/connect'
import type { RefreshApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { passOn } from '../application-sets/pass-on.ts'
import type { GatewayContext } from '../context.ts'

/** Generates a stored ApplicationSet again; appset-service decides. */
export function refreshApplicationSet({ applicationSets }: Pick<GatewayContext, 'applicationSets'>) {
  return (request: RefreshApplicationSetRequest, call: HandlerContext) =>
    passOn(call, (options) => applicationSets.refreshApplicationSet(request, options))
}
