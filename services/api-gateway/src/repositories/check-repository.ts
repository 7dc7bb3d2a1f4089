import type { HandlerContext } from '@connectrpc/connect'
import type { CreateRepositoryRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { putRepository } from './repository-access.ts'
import { requestedSecret } from './requested-secret.ts'

/** Checks whether the caller may store a new repository and whether its description is valid; its remote is not reached. */
export function checkRepository(context: GatewayContext) {
  return async (request: CreateRepositoryRequest, call: HandlerContext): Promise<void> => {
    const options = { skipValidation: true, upsert: false, dryRun: true }
    await putRepository(context, call, requestedSecret(request), options)
  }
}
