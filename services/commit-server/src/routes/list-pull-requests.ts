import type { HandlerContext } from '@connectrpc/connect'
import type { ListPullRequestsRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { headUrl } from '../forges/head-url.ts'
import { pullRequestAnswer } from '../forges/pull-request-answer.ts'
import { useForge } from '../forges/use-forge.ts'

/** Returns the open pull requests of a repository, or one of them, and what the forge is. */
export function listPullRequests(context: CommitServerContext) {
  return async (request: ListPullRequestsRequest, { signal }: HandlerContext) => {
    const { name, repository, forge, stored } = await useForge(context, request, signal)
    const found = await context.forgeFailures.during(stored, 'list', async () =>
      request.number === '' ? forge.openPullRequests() : [await forge.pullRequest(request.number)],
    )
    return {
      pullRequests: found.map((pull) => ({
        ...pullRequestAnswer(pull),
        headUrl: headUrl(request.repoUrl, repository, pull),
      })),
      forge: name,
      visibility: await forge.visibility(),
      maxCommentLength: forge.limits.comment,
    }
  }
}
