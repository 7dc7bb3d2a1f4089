import { isJsonObject } from '@wadi/fields/json-object.ts'
import { applicationObject, objectInProject } from '@wadi/rbac/decide/application-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/**
 * Returns the objects that policies on `applications` must allow for a set: its Applications. While it has none, its own name in each
 * project that a template of it names, and everything when a project is rendered.
 */
export function objectsOf(set: Resource, owned: readonly Resource[]): string[] {
  if (owned.length > 0) return owned.map((application) => applicationObject(application))
  const projects = templateProjects(set)
  return projects.some((project) => project.includes('{{')) ? ['*/*'] : namesIn(projects, set)
}

/** Returns the names of a set in policies on `applicationsets`: its name in each project of a template and of an Application. */
export function deniableObjectsOf(set: Resource, applications: readonly Resource[]): string[] {
  const projects = [...templateProjects(set), ...applications.map(projectOf)]
  return namesIn([...new Set(projects)], set)
}

/** The project of an Application. */
export function projectOf({ spec }: Pick<Resource, 'spec'>): string {
  return projectText(spec) ?? 'default'
}

/** The projects that the templates of a set name, templates of them among these as they are written. */
export function templateProjects({ spec = {} }: Pick<Resource, 'spec'>): string[] {
  const generators = Array.isArray(spec['generators']) ? spec['generators'] : []
  const own = generators
    .filter(isJsonObject)
    .flatMap((generator) => Object.values(generator).filter(isJsonObject))
    .flatMap(({ template }) => projectOfTemplate(template) ?? [])
  return [...new Set([projectOfTemplate(spec['template']) ?? 'default', ...own])]
}

function projectOfTemplate(template: unknown): string | undefined {
  return isJsonObject(template) ? projectText(template['spec']) : undefined
}

function projectText(spec: unknown): string | undefined {
  const project = isJsonObject(spec) ? spec['project'] : undefined
  return typeof project === 'string' && project !== '' ? project : undefined
}

function namesIn(projects: readonly string[], { metadata }: Resource): string[] {
  const { namespace = controlPlaneNamespace, name } = metadata
  return projects.map((project) => objectInProject(project, namespace, name))
}
