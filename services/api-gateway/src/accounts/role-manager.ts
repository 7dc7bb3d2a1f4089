import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { readCsvRecord } from '@wadi/rbac/policy/csv-record.ts'
import { readProjectRoles } from '@wadi/rbac/projects/project-roles.ts'
import { callerOf } from '../authentication/caller.ts'
import type { Call } from '../authorization/authorization.ts'
import type { GatewayContext } from '../context.ts'
import { getProjectResource } from '../projects/project-resource.ts'

/**
 * Makes sure that the caller may make and revoke tokens of a role: by the right to update the project, or as a member of
 * one of the role's groups.
 * @throws NotFoundError for a project that the caller may not see and for a role that does not exist, PermissionDeniedError
 */
export async function requireRoleManager(
  context: GatewayContext,
  call: Call,
  projectName: string,
  roleName: string,
): Promise<void> {
  const project = await getProjectResource(context, call, projectName, 'get')
  const role = readProjectRoles(project).find(({ name }) => name === roleName)
  if (!role) throw new NotFoundError(`project ${projectName} does not have role ${roleName}`)
  const { groups } = callerOf(call).subject
  const isMember = role.groups.map(groupName).some((group) => groups.includes(group))
  if (!isMember) context.authorization.require(call, 'projects', 'update', projectName)
}

/** Groups are written as fields of a policy's line, in quotes when they have commas. */
function groupName(field: string): string {
  const record = readCsvRecord(field)
  return typeof record === 'string' ? field : (record[0] ?? field)
}
