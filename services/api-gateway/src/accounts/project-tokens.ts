import { ConflictError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutateStatus, type ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { type ListedToken, readListedTokens } from './listed-token.ts'

/**
 * Returns the valid tokens of a role: those of `status.jwtTokensByRole`, and those of `spec.roles[].jwtTokens` when
 * the status has no list for the role. Empty when the project has no such role.
 */
export function projectTokens(project: Resource | undefined, role: string): readonly ListedToken[] {
  const spec = rolesOf(project?.spec).find(({ name }) => name === role)
  if (!spec) return []
  const inStatus = tokensByRole(project?.status).get(role)
  const list = isJsonObject(inStatus) ? inStatus['items'] : spec['jwtTokens']
  return readListedTokens(list) ?? []
}

/** Returns the tokens of all roles of a project. */
export function allProjectTokens(project: Resource): readonly ListedToken[] {
  return rolesOf(project.spec).flatMap(({ name }) =>
    typeof name === 'string' ? projectTokens(project, name) : [],
  )
}

/**
 * Drops the tokens of roles that a project has no more, so that a later role of the same name does not bring them back. Returns the
 * project as it is then.
 */
export async function dropTokensOfRemovedRoles(store: ResourceStore, project: Resource): Promise<Resource> {
  if (keptLists(project).length === tokensByRole(project.status).size) return project
  try {
    return await mutateStatus(
      store,
      'AppProject',
      controlPlaneNamespace,
      project.metadata.name,
      (current) => ({
        ...current,
        status: { ...current.status, jwtTokensByRole: Object.fromEntries(keptLists(current)) },
      }),
    )
  } catch (error) {
    // Gone or changing all the time: whoever changes it last brings this about again.
    if (!(error instanceof NotFoundError || error instanceof ConflictError)) throw error
    return project
  }
}

function keptLists({ spec, status }: Resource): [string, unknown][] {
  const names = new Set(rolesOf(spec).map(({ name }) => name))
  return [...tokensByRole(status)].filter(([role]) => names.has(role))
}

/** Returns the roles of a project as they are stored. */
export function rolesOf(spec: Record<string, unknown> | undefined): Record<string, unknown>[] {
  const roles = spec?.['roles']
  return Array.isArray(roles) ? roles.filter(isJsonObject) : []
}

/** Returns the lists of tokens of a project's status by role. */
export function tokensByRole(status: Record<string, unknown> | undefined): ReadonlyMap<string, unknown> {
  const lists = status?.['jwtTokensByRole']
  return new Map(isJsonObject(lists) ? Object.entries(lists) : [])
}
