import type { ServiceImpl } from '@connectrpc/connect'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { repositoryObject } from '../authorization/policy-object.ts'
import type { GatewayContext } from '../context.ts'
import { notifyHydrator } from '../repositories/notify-hydrator.ts'
import {
  credentialsOwner,
  findRepository,
  putRepository,
  visibleRepositories,
} from '../repositories/repository-access.ts'
import { repositoryUse } from '../repositories/repository-use.ts'
import { requestedSecret } from '../repositories/requested-secret.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** The RPCs of RepositoryService. */
export function repositoryRoutes(context: GatewayContext) {
  return {
    /** Stores a repository with the service that may hold its credentials; its remote is reached once that is allowed. */
    async createRepository(request, call) {
      const { skipValidation, upsert, keepOthers } = request
      const options = { skipValidation, upsert, keepOthers }
      const repository = await putRepository(context, call, requestedSecret(request), options)
      return { ...(repository && { repository }) }
    },
    async listRepositories({ write, refresh }, call) {
      const visible = await visibleRepositories(context, call, { write, refresh: false })
      // No remote is reached for somebody who may see none.
      if (!refresh || visible.length === 0) return { repositories: visible }
      return { repositories: await visibleRepositories(context, call, { write, refresh }) }
    },
    /** Returns where a forge shows what is in a repository; nothing to a caller who sees no Application of it. */
    async getRepositoryPages({ repoUrl }, call) {
      const wanted = repositoryIdentity(repoUrl)
      const mayBeSeen = visibleTo(context.authorization, call)
      const user = context.summaries.sorted.find(
        (application) => application.source.repositories.includes(wanted) && mayBeSeen(application),
      )
      if (!user) return {}
      const { project } = user.source.spec
      return context.commitServer.getRepositoryPages({ repoUrl, project }, { signal: call.signal })
    },
    /** Returns the Applications that read or write credentials serve, of those that the caller may see. */
    getRepositoryUse: async (request, call) =>
      repositoryUse(context, call, request.write, await findRepository(context, call, request)),
    /** Forgets a repository's read or write credentials. */
    async deleteRepository(request, call) {
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
    },
  } satisfies ServiceImpl<typeof RepositoryService>
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
