import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Author } from './author.ts'
import { type Access, maySet } from './set-access.ts'
import { projectOf, templateProjects } from './set-objects.ts'

/**
 * The caller as the author of a set whose Applications were all checked: the projects are theirs, and those that the
 * templates name when the caller may make Applications with the set's name there, so that a set may begin empty.
 */
export function authorOf(
  access: Access,
  set: Resource,
  generated: readonly Resource[],
): Omit<Author, 'generation'> {
  const named = maySet(access, 'create', set, []) ? templateProjects(set) : []
  const literal = named.filter((project) => !project.includes('{{'))
  const projects = [...new Set([...generated.map(projectOf), ...literal])].toSorted()
  return { subject: access.subject, projects }
}

/**
 * Makes sure that every Application is in a project that the author of its set was allowed.
 * @throws PermissionDeniedError that names the first project that is not
 */
export function requireAuthorized(
  { projects }: Pick<Author, 'projects'>,
  generated: readonly Resource[],
): void {
  const foreign = generated.map(projectOf).find((project) => !projects.includes(project))
  if (foreign === undefined) return
  throw new PermissionDeniedError(
    `project ${foreign} is not authorised for this ApplicationSet; somebody who may use it must apply the set`,
  )
}
