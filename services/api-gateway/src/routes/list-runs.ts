import type { HandlerContext } from '@connectrpc/connect'
import type { ListRunsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/runs_pb.ts'
import { readBranchRuns } from '../applications/branch-runs.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the newest runs of an Application's branch, without what they did to single directories. */
export function listRuns(context: GatewayContext) {
  return async (request: ListRunsRequest, call: HandlerContext) => {
    const { runs, queue, repoUrl, branch } = await readBranchRuns(context, call, request)
    return {
      runs: runs.map(({ run }) => ({ ...run, directories: [], directoriesLeftOut: 0, events: [] })),
      queue,
      repoUrl,
      branch,
    }
  }
}
