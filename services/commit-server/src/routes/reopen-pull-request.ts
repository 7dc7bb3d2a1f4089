import type { HandlerContext } from '@connectrpc/connect'
import type { ReopenPullRequestRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { pullRequestAnswer } from '../forges/pull-request-answer.ts'
import { useForge } from '../forges/use-forge.ts'

/** Opens a closed pull request again, where the forge can do that. */
export function reopenPullRequest(context: CommitServerContext) {
  return async (request: ReopenPullRequestRequest, { signal }: HandlerContext) => {
    const { forge } = await useForge(context, request, signal)
    const opened = await forge.reopen?.(request.number)
    if (!opened) return {}
    context.events.pullRequestWritten(opened.headBranch, 'reopened', opened)
    return { pullRequest: pullRequestAnswer(opened) }
  }
}
