import type { JsonObject } from '@bufbuild/protobuf'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { listAt, objectAt, textAt, valueAt } from '../objects/json-fields.ts'
import { printable } from '../output/printable.ts'
import { changeProject } from './project-change.ts'
import { objectsAt } from './project-spec.ts'

/** A token of a role, without its secret. */
export interface RoleToken {
  /** What it is deleted by: its id, or for one of Argo CD without any when it was issued. */
  id: string
  /** In seconds since 1970. */
  issuedAt: number
  /** In seconds since 1970; 0 for never. */
  expiresAt: number
}

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

/** Returns the tokens of a role as the server uses them: those of the status, else those of the spec. */
export function roleTokens(project: JsonObject, role: string): RoleToken[] {
  const lists = objectAt(project, 'status', 'jwtTokensByRole')
  const list = Object.hasOwn(lists, role)
    ? listAt(lists, role, 'items')
    : listAt(findRole(project, role), 'jwtTokens')
  return list.map((token) => {
    const issuedAt = numberOf(valueAt(token, 'iat'))
    return {
      id: textAt(token, 'id') || String(issuedAt),
      issuedAt,
      expiresAt: numberOf(valueAt(token, 'exp')),
    }
  })
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function noRole(project: string, role: string): CommandFailure {
  return new CommandFailure(
    `role '${printable(role)}' does not exist in project '${printable(project)}'; see "wadi proj role list"`,
  )
}
