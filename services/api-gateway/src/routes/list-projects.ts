import type { HandlerContext } from '@connectrpc/connect'
import type { ListProjectsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { toStruct } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { listProjectResources } from '../projects/project-resource.ts'

/** Lists the projects that the caller may see. */
export function listProjects(context: GatewayContext) {
  return async (_request: ListProjectsRequest, call: HandlerContext) => {
    const all = await listProjectResources(context)
    const visible = all.filter(({ metadata }) =>
      context.authorization.allows(call, 'projects', 'get', metadata.name),
    )
    return { projects: visible.map(toStruct) }
  }
}
