import type { HandlerContext } from '@connectrpc/connect'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import type { ClosePullRequestRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { pullRequestAnswer } from '../forges/pull-request-answer.ts'
import { useForge } from '../forges/use-forge.ts'

/** Closes the open pull request between two branches, if it has the head that the caller saw. */
export function closePullRequest(context: CommitServerContext) {
  return async (request: ClosePullRequestRequest, { signal }: HandlerContext) => {
    const { headBranch, baseBranch, headSha } = request
    for (const branch of [headBranch, baseBranch]) assertBranchName(branch)
    const { forge } = await useForge(context, request, signal)
    const open = await forge.openBetween(headBranch, baseBranch)
    if (!open) return {}
    const seen = headSha || open.headSha
    if (open.headSha !== '' && open.headSha !== seen) {
      throw new ConflictError(
        `pull request ${open.number} of ${headBranch} is at ${open.headSha.slice(0, 7)}, not at ${seen.slice(0, 7)}: it stays open`,
      )
    }
    const closed = await forge.close(open.number)
    context.events.pullRequestWritten(headBranch, 'closed', closed)
    return { pullRequest: pullRequestAnswer(closed) }
  }
}
