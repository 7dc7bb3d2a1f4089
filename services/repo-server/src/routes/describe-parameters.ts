import type { HandlerContext } from '@connectrpc/connect'
import type { DescribeParametersRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { describeParameters as describe } from '@wadi/rendering/parameters/describe-parameters.ts'
import { type RepoServerContext, withInspection } from '../context.ts'

/** Lists the parameters of a source: what its tool takes, the defaults, what is set and where. */
export function describeParameters(context: RepoServerContext) {
  return async (request: DescribeParametersRequest, { signal }: HandlerContext) =>
    withInspection(context, request, signal, async (tree, source, inspection) => {
      const described = await describe(tree, inspection, source, signal)
      return { ...described, notices: [...inspection.notices, ...described.notices] }
    })
}
