import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import {
  type AppProject,
  defaultProject,
  parseAppProject,
  projectPermitsDestination,
  projectPermitsNamespace,
  projectPermitsSource,
} from './app-project.ts'
import type { Application } from './application.ts'
import { controlPlaneNamespace } from './control-plane-namespace.ts'
import type { ResourceStore } from './resource-store.ts'

/**
 * Reads an AppProject; `default` is there also while nobody has stored it.
 * @throws InvalidInputError when there is no such project, or one that cannot be read
 */
export async function readProject(store: Pick<ResourceStore, 'get'>, name: string): Promise<AppProject> {
  const resource = await store.get('AppProject', controlPlaneNamespace, name)
  if (resource) return parseAppProject(resource)
  if (name === 'default') return defaultProject
  throw new InvalidInputError(`application references project ${name} which does not exist`)
}

/**
 * Makes sure that a project permits an Application: its namespace, the repositories that it is read from and hydrated
 * to, and its destination.
 * @throws PermissionDeniedError that names what is not permitted
 */
export function requireProjectPermits(project: AppProject, application: Application): void {
  const refuse = (what: string): never => {
    throw new PermissionDeniedError(`${what} is not permitted in project '${application.project}'`)
  }
  if (!projectPermitsNamespace(project, application.metadata.namespace ?? controlPlaneNamespace)) {
    refuse(`application namespace ${application.metadata.namespace}`)
  }
  for (const repoURL of application.sources) {
    if (!projectPermitsSource(project, repoURL)) refuse(`application repo ${repoURL}`)
  }
  const destination = application.hydrated?.syncSource.repoURL
  if (destination !== undefined && !projectPermitsSource(project, destination)) {
    refuse(`destination repo ${destination}`)
  }
  if (!projectPermitsDestination(project, application.destination)) {
    const { server, name, namespace } = application.destination
    refuse(`destination ${server ?? name ?? ''} namespace ${namespace ?? ''}`)
  }
}
