import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GetRunRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/runs_pb.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readBranchRuns } from '../applications/branch-runs.ts'
import type { GatewayContext } from '../context.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** Returns one run of an Application's branch, of its directories those with an Application that the caller may see. */
export function getRun(context: GatewayContext) {
  return async (request: GetRunRequest, call: HandlerContext) => {
    const { id, name } = request
    const { application, key, runs, repoUrl, branch } = await readBranchRuns(context, call, request)
    const run = id === '' ? runs[0] : runs.find((one) => one.id === id)
    if (!run) {
      const missing = id === '' ? 'no run is known' : `run ${JSON.stringify(id)} is not known any more`
      throw new NotFoundError(`${missing} of branch ${branch}; "wadi app runs ${name}" lists them`)
    }
    const others = context.summaries.onBranch(key).filter(visibleTo(context.authorization, call))
    const { namespace = controlPlaneNamespace } = application.metadata
    // The index may not know a new Application yet.
    const visible = new Set([
      `${namespace}/${name}`,
      ...others.map(({ summary }) => `${summary.namespace}/${summary.name}`),
    ])
    const directories = run.directories.flatMap((directory) => {
      const applications = directory.applications.filter((one) => visible.has(one))
      return applications.length > 0 ? [{ ...directory, applications }] : []
    })
    return {
      run: { ...run, directories },
      hidden: run.directories.length - directories.length,
      directory: cleanDestinationPath(application.hydrated?.syncSource.path ?? ''),
      repoUrl,
      branch,
    }
  }
}
