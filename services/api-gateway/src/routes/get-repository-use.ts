import type { HandlerContext } from '@connectrpc/connect'
import type { GetRepositoryUseRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { findRepository } from '../repositories/repository-access.ts'
import { repositoryUse } from '../repositories/repository-use.ts'

/** Returns the Applications that read or write credentials serve, of those that the caller may see. */
export function getRepositoryUse(context: GatewayContext) {
  return async (request: GetRepositoryUseRequest, call: HandlerContext) =>
    repositoryUse(context, call, request.write, await findRepository(context, call, request))
}
