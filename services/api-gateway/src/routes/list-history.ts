import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { ListHistoryRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the hydrated commits that changed an Application. */
export function listHistory(context: GatewayContext) {
  return async ({ namespace, name, limit }: ListHistoryRequest, call: HandlerContext) => {
    const { application } = await getStoredApplication(context, call, { namespace, name })
    const branch = hydratedBranchOf(application)
    if (!branch) throw new FailedPreconditionError(`application ${name} has no spec.sourceHydrator`)
    const path = application.hydrated?.syncSource.path ?? ''
    const { project } = application
    return context.commitServer.listHistory(
      { repoUrl: branch.repoUrl, branch: branch.branch, path, limit, project },
      { signal: call.signal },
    )
  }
}
