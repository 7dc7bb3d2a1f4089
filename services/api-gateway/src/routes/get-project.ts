import type { HandlerContext } from '@connectrpc/connect'
import type { GetProjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { toStruct } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { getProjectResource } from '../projects/project-resource.ts'

/** Returns one project. */
export function getProject(context: GatewayContext) {
  return async ({ name }: GetProjectRequest, call: HandlerContext) => ({
    project: toStruct(await getProjectResource(context, call, name, 'get')),
  })
}
