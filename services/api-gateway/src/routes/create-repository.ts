import type { HandlerContext } from '@connectrpc/connect'
import type { CreateRepositoryRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { putRepository } from '../repositories/repository-access.ts'
import { requestedSecret } from '../repositories/requested-secret.ts'

/** Stores a repository with the service that may hold its credentials; its remote is reached once that is allowed. */
export function createRepository(context: GatewayContext) {
  return async (request: CreateRepositoryRequest, call: HandlerContext) => {
    const { skipValidation, upsert, keepOthers } = request
    const repository = await putRepository(context, call, requestedSecret(request), {
      skipValidation,
      upsert,
      keepOthers,
    })
    return { ...(repository && { repository }) }
  }
}
