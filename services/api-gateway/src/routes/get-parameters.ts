import type { HandlerContext } from '@connectrpc/connect'
import type { GetParametersRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import { resolveDry } from '../applications/resolve-dry.ts'
import { dryRequest } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the parameters of an Application's dry source. */
export function getParameters(context: GatewayContext) {
  return async ({ namespace, name, dryRevision }: GetParametersRequest, call: HandlerContext) => {
    const { signal } = call
    const { application } = await getStoredApplication(context, call, { namespace, name })
    await requirePermittedByProject(context, application)
    const request = dryRequest(application)
    const { repoUrl, project, source } = request
    const {
      branch: _branch,
      drySha: _drySha,
      ...dry
    } = await resolveDry(context, request, dryRevision, signal)
    return context.repoServer.getParameters({ repoUrl, project, source, ...dry }, { signal })
  }
}
