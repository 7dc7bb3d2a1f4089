import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { findClusterConfig } from '@wadi/kubernetes/config/find-cluster-config.ts'
import { storedKind } from '@wadi/kubernetes/store/stored-kinds.ts'
import { type FoundApplications, localApplications } from './local-applications.ts'

/**
 * The Applications of a cluster that take their dry source from one repository.
 * @param kubeconfig the file; its account must be allowed to list Applications
 * @throws InvalidInputError for a kubeconfig that cannot be used, UnavailableError, PermissionDeniedError
 */
export async function clusterApplications(
  kubeconfig: string,
  repoUrl: string,
  signal: AbortSignal,
): Promise<FoundApplications> {
  await using client = new KubernetesClient(await findClusterConfig(kubeconfig))
  const { items } = await client.list(storedKind('Application').resource, {}, signal)
  return localApplications(items, repoUrl)
}
