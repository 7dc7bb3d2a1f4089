import { FieldReader } from '@wadi/fields/field-reader.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** One of `spec.roles` of an AppProject. */
export interface ProjectRole {
  name: string
  /** Lines `p, proj:<project>:<role>, …`. */
  policies: readonly string[]
  /** Groups that have the role, as fields of a line of a policy, so quoted when they have commas. */
  groups: readonly string[]
}

/**
 * Reads the roles of an AppProject; what a policy says is not looked at.
 * @throws InvalidInputError that lists every field of a wrong type.
 */
export function readProjectRoles(project: Resource): ProjectRole[] {
  const reader = new FieldReader(`AppProject ${project.metadata.name}`)
  const roles = reader.list(project.spec ?? {}, 'roles', 'spec.').map((item, index): ProjectRole => {
    const at = `spec.roles[${index}]`
    const fields = reader.isObject(item, at) ? item : {}
    return {
      name: reader.string(fields, 'name', `${at}.`) ?? '',
      policies: reader.strings(fields, 'policies', `${at}.`),
      groups: reader.strings(fields, 'groups', `${at}.`),
    }
  })
  reader.throwFindings()
  return roles
}
