import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { CanIRequestSchema } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import type { ListPermittedProjectsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { canI } from '../argocd/account-can-i.ts'
import type { GatewayContext } from '../context.ts'
import { listProjectResources } from '../projects/project-resource.ts'

/** Lists the projects in which the caller may do something to every object of a resource, as CanI would say of each. */
export function listPermittedProjects(context: GatewayContext) {
  const ask = canI(context)
  return async ({ resource, action }: ListPermittedProjectsRequest, call: HandlerContext) => {
    const projects = await listProjectResources(context)
    const names = projects.map(({ metadata }) => metadata.name)
    const mayIn = (name: string) => {
      const request = create(CanIRequestSchema, { resource, action, subresource: `${name}/*` })
      return ask(request, call).value === 'yes'
    }
    return { names: names.filter(mayIn) }
  }
}
