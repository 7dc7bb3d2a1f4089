import type { HandlerContext } from '@connectrpc/connect'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import type { ClosePullRequestRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { pullRequestAnswer } from '../forges/pull-request-answer.ts'
import { useForge } from '../forges/use-forge.ts'

/** Closes the open pull request between two branches. */
export function closePullRequest(context: CommitServerContext) {
  return async (request: ClosePullRequestRequest, { signal }: HandlerContext) => {
    const { headBranch, baseBranch } = request
    for (const branch of [headBranch, baseBranch]) assertBranchName(branch)
    const { forge } = await useForge(context, request, signal)
    const open = await forge.openBetween(headBranch, baseBranch)
    if (!open) return {}
    const closed = await forge.close(open.number)
    context.events.pullRequestWritten(headBranch, 'closed', closed)
    return { pullRequest: pullRequestAnswer(closed) }
  }
}
