import type { HandlerContext } from '@connectrpc/connect'
import type { DeleteRepositoryRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { repositoryObject } from '../authorization/policy-object.ts'
import type { GatewayContext } from '../context.ts'
import { credentialsOwner, findRepository } from '../repositories/repository-access.ts'
import { notifyHydrator } from '../repositories/notify-hydrator.ts'

/** Forgets a repository's read or write credentials. */
export function deleteRepository(context: GatewayContext) {
  return async ({ repoUrl, write, project }: DeleteRepositoryRequest, call: HandlerContext) => {
    const stored = await findRepository(context, call, { repoUrl, write, project })
    const { resource, object } = repositoryObject(write, stored)
    context.authorization.require(call, resource, 'delete', object)
    await credentialsOwner(context, write).deleteRepository({ repoUrl, project }, { signal: call.signal })
    await notifyHydrator(context)
    return {}
  }
}
