import type { HandlerContext } from '@connectrpc/connect'
import type { GenerateApplicationsRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { passOn } from '../application-sets/pass-on.ts'
import type { GatewayContext } from '../context.ts'

/** Returns the Applications that an ApplicationSet generates; appset-service decides. */
export function generateApplications({ applicationSets }: Pick<GatewayContext, 'applicationSets'>) {
  return (request: GenerateApplicationsRequest, call: HandlerContext) =>
    passOn(call, (options) => applicationSets.generateApplications(request, options))
}
