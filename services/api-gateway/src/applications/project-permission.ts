import type { Application } from '@wadi/resources/application.ts'
import { readClusters } from '@wadi/resources/cluster-secret.ts'
import { readProject, requireProjectPermits } from '@wadi/resources/project-permission.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Makes sure that the project of an Application permits its sources, destination and namespace.
 * @throws PermissionDeniedError that names what is not permitted, InvalidInputError when there is no such project
 */
export async function requirePermittedByProject(
  { store }: Pick<GatewayContext, 'store'>,
  application: Application,
): Promise<void> {
  const [project, clusters] = await Promise.all([
    readProject(store, application.project),
    readClusters(store),
  ])
  requireProjectPermits(project, application, clusters)
}
