import type { HandlerContext } from '@connectrpc/connect'
import type { ChangePullRequestRequest } from '@wadi/protocol/gen/wadi/pull_requests/v1/pull_requests_pb.ts'
import type { GatewayContext } from '../context.ts'
import type { EnvironmentReader } from '../environments/environments.ts'
import { requirePullRequestRight } from '../environments/pull-request-right.ts'

/** Has the pull request between two stages opened, merged, closed or opened again. */
export function changePullRequest(
  context: GatewayContext,
  reader: Pick<EnvironmentReader, 'forgetBranches'>,
) {
  return async (request: ChangePullRequestRequest, call: HandlerContext) => {
    requirePullRequestRight(context, call, request)
    try {
      return await context.hydrator.changePullRequest(request, { signal: call.signal })
    } finally {
      // Also after a conflict, as the branches are not what the caller saw.
      reader.forgetBranches()
    }
  }
}
