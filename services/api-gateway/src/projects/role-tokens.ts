import type { Resource } from '@wadi/resources/resource.ts'
import { rolesOf } from '../accounts/project-tokens.ts'

/** A project without the tokens that its roles list. */
export function withoutTokens(project: Resource): Resource {
  return withTokens(project, new Map())
}

/** A wanted project with the tokens that the stored one lists for the roles of the same names. */
export function withTokensOf(wanted: Resource, stored: Resource): Resource {
  const tokens = rolesOf(stored.spec).map(({ name, jwtTokens }): [unknown, unknown] => [name, jwtTokens])
  return withTokens(wanted, new Map(tokens))
}

function withTokens(project: Resource, tokensByRole: ReadonlyMap<unknown, unknown>): Resource {
  if (!Array.isArray(project.spec?.['roles'])) return project
  const roles = rolesOf(project.spec).map(({ jwtTokens: _sent, ...role }) => {
    const tokens = tokensByRole.get(role['name'])
    return tokens === undefined ? role : { ...role, jwtTokens: tokens }
  })
  return { ...project, spec: { ...project.spec, roles } }
}
