import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GetRunRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/runs_pb.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { readBranchRuns } from '../applications/branch-runs.ts'
import type { GatewayContext } from '../context.ts'

/** Returns one run of an Application's branch, as far as the caller may see the Applications on it. */
export function getRun(context: GatewayContext) {
  return async (request: GetRunRequest, call: HandlerContext) => {
    const { id, name } = request
    const { application, runs, repoUrl, branch } = await readBranchRuns(context, call, request)
    const found = id === '' ? runs[0] : runs.find(({ run }) => run.id === id)
    if (!found) {
      const missing = id === '' ? 'no run is known' : `run ${JSON.stringify(id)} is not known any more`
      throw new NotFoundError(`${missing} of branch ${branch}; "wadi app runs ${name}" lists them`)
    }
    return {
      ...found,
      directory: cleanDestinationPath(application.hydrated?.syncSource.path ?? ''),
      repoUrl,
      branch,
    }
  }
}
