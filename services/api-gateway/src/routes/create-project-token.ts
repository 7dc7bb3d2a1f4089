import type { HandlerContext } from '@connectrpc/connect'
import type { CreateProjectTokenRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { newListedToken } from '../accounts/new-listed-token.ts'
import { addProjectToken } from '../accounts/project-token-changes.ts'
import type { GatewayContext } from '../context.ts'
import { requireRoleManager } from '../accounts/role-manager.ts'
import { signListedToken } from '../sessions/sign-in.ts'

/** Makes a token of a role of a project, for those who may update the project or have the role by a group. */
export function createProjectToken(context: GatewayContext) {
  const { signIn } = context
  return async (request: CreateProjectTokenRequest, call: HandlerContext) => {
    const { project, role } = request
    await requireRoleManager(context, call, project, role)
    const listed = newListedToken(request, Math.floor(signIn.now()))
    const token = await signListedToken(signIn, { ...listed, owner: { kind: 'project', project, role } })
    await addProjectToken(signIn.objects, project, role, listed)
    const { id, issuedAt, expiresAt } = listed
    return { token, id, issuedAt: BigInt(issuedAt), expiresAt: BigInt(expiresAt) }
  }
}
