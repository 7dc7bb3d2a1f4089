import type { HandlerContext } from '@connectrpc/connect'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { GetRepositoryPagesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** Returns where a forge shows what is in a repository; nothing to a caller who sees no Application of it. */
export function getRepositoryPages({ summaries, authorization, commitServer }: GatewayContext) {
  return async ({ repoUrl }: GetRepositoryPagesRequest, call: HandlerContext) => {
    const wanted = repositoryIdentity(repoUrl)
    const mayBeSeen = visibleTo(authorization, call)
    const user = summaries.sorted.find(
      (application) => application.source.repositories.includes(wanted) && mayBeSeen(application),
    )
    if (!user) return {}
    const { project } = user.source.spec
    return commitServer.getRepositoryPages({ repoUrl, project }, { signal: call.signal })
  }
}
