import type { HandlerContext } from '@connectrpc/connect'
import type { ChangePullRequestRequest } from '@wadi/protocol/gen/wadi/pull_requests/v1/pull_requests_pb.ts'
import type { PullRequestKeeper } from '../pull-requests/follow-pull-requests.ts'
import type { PullRequestContext } from '../pull-requests/put-pull-request.ts'

/** Changes the pull request of a staging branch for somebody who saw both branches. */
export function changePullRequest(context: PullRequestContext, keeper: Pick<PullRequestKeeper, 'change'>) {
  return async (request: ChangePullRequestRequest, { signal }: HandlerContext) => {
    const { number, url, state, message } = await keeper.change(context, request, signal)
    return { number, url, state, message }
  }
}
