import type { HandlerContext } from '@connectrpc/connect'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import type { DeleteRepositoryRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { repositoryObject } from '../authorization/policy-object.ts'
import type { GatewayContext } from '../context.ts'
import { credentialsOwner, findRepository } from '../repositories/repository-access.ts'
import { repositoryUse } from '../repositories/repository-use.ts'
import { notifyHydrator } from '../repositories/notify-hydrator.ts'

/** Forgets a repository's read or write credentials. */
export function deleteRepository(context: GatewayContext) {
  return async (request: DeleteRepositoryRequest, call: HandlerContext) => {
    const { repoUrl, write, project, version, isPrefix } = request
    const stored = await findRepository(context, call, request)
    const { resource, object } = repositoryObject(write, stored)
    context.authorization.require(call, resource, 'delete', object)
    if (request.isReviewed) {
      const { applications } = await repositoryUse(context, call, write, stored)
      requireReviewed(applications, request.reviewedApplications)
    }
    await credentialsOwner(context, write).deleteRepository(
      { repoUrl, project, version, isPrefix },
      { signal: call.signal },
    )
    await notifyHydrator(context)
    return {}
  }
}

/** @throws ConflictError when the credentials serve an Application that the caller was not shown */
function requireReviewed(applications: readonly string[], reviewed: readonly string[]): void {
  const shown = new Set(reviewed)
  const others = applications.filter((name) => !shown.has(name))
  if (others.length === 0) return
  throw new ConflictError(
    `the credentials serve ${someInLine(others, 5)} as well, which you were not shown; nothing is deleted, look again`,
  )
}
