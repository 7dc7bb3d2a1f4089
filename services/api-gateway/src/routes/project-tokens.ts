import type { ServiceImpl } from '@connectrpc/connect'
import type { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { newListedToken } from '../accounts/new-listed-token.ts'
import { addProjectToken, removeProjectToken } from '../accounts/project-token-changes.ts'
import { requireRoleManager } from '../accounts/role-manager.ts'
import type { GatewayContext } from '../context.ts'
import { signListedToken } from '../sessions/sign-in.ts'

/** The RPCs of the tokens of a project's roles, for those who may update the project or have the role by a group. */
export function projectTokenRoutes(context: GatewayContext) {
  const { signIn } = context
  return {
    async createProjectToken(request, call) {
      const { project, role } = request
      await requireRoleManager(context, call, project, role)
      const listed = newListedToken(request, Math.floor(signIn.now()))
      const token = await signListedToken(signIn, { ...listed, owner: { kind: 'project', project, role } })
      await addProjectToken(signIn.objects, project, role, listed)
      const { id, issuedAt, expiresAt } = listed
      return { token, id, issuedAt: BigInt(issuedAt), expiresAt: BigInt(expiresAt) }
    },
    /** Revokes a token. */
    async deleteProjectToken({ project, role, id }, call) {
      await requireRoleManager(context, call, project, role)
      await removeProjectToken(signIn.objects, project, role, id)
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof ProjectService>>
}
