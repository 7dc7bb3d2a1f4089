import type { HandlerContext } from '@connectrpc/connect'
import type { DeleteProjectTokenRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { removeProjectToken } from '../accounts/project-token-changes.ts'
import type { GatewayContext } from '../context.ts'
import { requireRoleManager } from '../accounts/role-manager.ts'

/** Revokes a token of a role of a project, for those who may make one. */
export function deleteProjectToken(context: GatewayContext) {
  return async ({ project, role, id }: DeleteProjectTokenRequest, call: HandlerContext) => {
    await requireRoleManager(context, call, project, role)
    await removeProjectToken(context.signIn.objects, project, role, id)
    return {}
  }
}
