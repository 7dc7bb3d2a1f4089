import type { HandlerContext } from '@connectrpc/connect'
import type { ListApplicationSetsRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { passOn } from '../application-sets/pass-on.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the ApplicationSets that the caller may see; appset-service decides. */
export function listApplicationSets({ applicationSets }: Pick<GatewayContext, 'applicationSets'>) {
  return (request: ListApplicationSetsRequest, call: HandlerContext) =>
    passOn(call, (options) => applicationSets.listApplicationSets(request, options))
}
