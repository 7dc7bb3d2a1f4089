import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import {
  type AppProject,
  defaultProject,
  parseAppProject,
  projectPermitsDestination,
  projectPermitsNamespace,
  projectPermitsSource,
} from './app-project.ts'
import type { Application, ApplicationDestination } from '../application/application.ts'
import { type Cluster, clusterOfDestination } from '../cluster-secret.ts'
import { controlPlaneNamespace } from '../control-plane-namespace.ts'
import type { ResourceStore } from '../store/resource-store.ts'

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
 * Reads AppProjects, each once, in the order of their names.
 * @throws InvalidInputError when one does not exist or cannot be read
 */
export async function readProjects(
  store: Pick<ResourceStore, 'get'>,
  names: Iterable<string>,
): Promise<AppProject[]> {
  return Promise.all([...new Set(names)].toSorted().map((name) => readProject(store, name)))
}

/**
 * Makes sure that a project permits an Application: its namespace, the repositories that it is read from and hydrated
 * to, and its destination. With the clusters that are known, a destination is tested by its name and by its address,
 * whichever the Application gives.
 * @throws PermissionDeniedError that names what is not permitted, InvalidInputError for a cluster name that several have
 */
export function requireProjectPermits(
  project: AppProject,
  application: Application,
  clusters: readonly Cluster[] = [],
): void {
  const refuse = (what: string): never => {
    throw new PermissionDeniedError(`${what} is not permitted in project '${application.project}'`)
  }
  if (!projectPermitsNamespace(project, application.metadata.namespace ?? controlPlaneNamespace)) {
    refuse(`application namespace ${application.metadata.namespace}`)
  }
  for (const repoUrl of application.sources) {
    if (!projectPermitsSource(project, repoUrl)) refuse(`application repo ${repoUrl}`)
  }
  const destinationRepository = application.hydrated?.syncSource.repoURL
  if (destinationRepository !== undefined && !projectPermitsSource(project, destinationRepository)) {
    refuse(`destination repo ${destinationRepository}`)
  }
  const { destination } = application
  const shown = `destination ${destination.server ?? destination.name ?? ''} namespace ${destination.namespace ?? ''}`
  const cluster = clusterOfDestination(clusters, destination)
  if (!projectPermitsDestination(project, withCluster(destination, cluster))) refuse(shown)
  if (project.permitOnlyProjectScopedClusters && cluster?.project !== project.name) {
    refuse(`${shown}, which is not a cluster of the project's own,`)
  }
}

/** A destination with what is known of its cluster. */
function withCluster(
  destination: ApplicationDestination,
  cluster: Cluster | undefined,
): ApplicationDestination {
  return cluster ? { ...destination, server: cluster.server, name: cluster.name } : destination
}
