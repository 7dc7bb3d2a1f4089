import type { JsonObject } from '@bufbuild/protobuf'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { type RoleToken, roleTokens } from '@wadi/rbac/projects/role-tokens.ts'
import { printable } from '../output/printable.ts'
import { changeProject } from './project-change.ts'
import { objectsAt } from './project-spec.ts'

/** @throws CommandFailure when the project has no such role */
export function findRole(project: JsonObject, name: string): JsonObject {
  const role = objectsAt(project, 'spec', 'roles').find((known) => textAt(known, 'name') === name)
  if (role) return role
  throw noRole(textAt(project, 'metadata', 'name'), name)
}

/** Changes a role of a project by what `change` makes of it; undefined when nothing has to change. */
export async function changeRole(
  session: CommandSession,
  project: string,
  name: string,
  change: (role: JsonObject) => JsonObject | undefined,
): Promise<boolean> {
  return changeProject(session, project, (spec) => {
    const roles = objectsAt(spec, 'roles')
    const role = roles.find((known) => textAt(known, 'name') === name)
    if (!role) throw noRole(project, name)
    const changed = change(role)
    return changed && { ...spec, roles: roles.map((known) => (known === role ? changed : known)) }
  })
}

/** Returns the tokens of a role. @throws CommandFailure when the project has no such role */
export function tokensOfRole(project: JsonObject, name: string): RoleToken[] {
  findRole(project, name)
  return roleTokens(project, name)
}

function noRole(project: string, role: string): CommandFailure {
  return new CommandFailure(
    `role '${printable(role)}' does not exist in project '${printable(project)}'; see "wadi proj role list"`,
  )
}
