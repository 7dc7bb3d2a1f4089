import type { AppProject } from '@wadi/resources/project/app-project.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { type Cluster, readClusters } from '@wadi/resources/cluster-secret.ts'
import { readProject, requireProjectPermits } from '@wadi/resources/project/project-permission.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Makes sure that the project of an Application permits its sources, destination and namespace.
 * @throws PermissionDeniedError that names what is not permitted, InvalidInputError when there is no such project
 */
export async function requirePermittedByProject(
  context: Pick<GatewayContext, 'store'>,
  application: Application,
): Promise<void> {
  await projectCheck(context)(application)
}

/** Returns `requirePermittedByProject` for many Applications of one call, which reads each project and the clusters once. */
export function projectCheck({
  store,
}: Pick<GatewayContext, 'store'>): (application: Application) => Promise<void> {
  const projects = new Map<string, AppProject>()
  let clusters: readonly Cluster[] | undefined
  return async (application) => {
    const project = projects.get(application.project) ?? (await readProject(store, application.project))
    projects.set(application.project, project)
    clusters ??= await readClusters(store)
    requireProjectPermits(project, application, clusters)
  }
}
