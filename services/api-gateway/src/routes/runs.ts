import type { ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { readBranchRuns } from '../applications/branch-runs.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** The RPCs about the runs of an Application's branch, and about the hydrated commits that changed it. */
export function runRoutes(context: GatewayContext) {
  return {
    /** Lists the newest runs, without what they did to single directories. */
    async listRuns(request, call) {
      const { runs, queue, repoUrl, branch } = await readBranchRuns(context, call, request)
      return {
        runs: runs.map(({ run }) => ({ ...run, directories: [], directoriesLeftOut: 0, events: [] })),
        queue,
        repoUrl,
        branch,
      }
    },
    /** Returns one run, as far as the caller may see the Applications on the branch. */
    async getRun(request, call) {
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
    },
    async listHistory({ namespace, name, limit }, call) {
      const { application } = await getStoredApplication(context, call, { namespace, name })
      const branch = hydratedBranchOf(application)
      if (!branch) throw new FailedPreconditionError(`application ${name} has no spec.sourceHydrator`)
      const path = application.hydrated?.syncSource.path ?? ''
      const { project } = application
      return context.commitServer.listHistory(
        { repoUrl: branch.repoUrl, branch: branch.branch, path, limit, project },
        { signal: call.signal },
      )
    },
  } satisfies Partial<ServiceImpl<typeof ApplicationService>>
}
