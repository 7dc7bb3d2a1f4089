import process from 'node:process'
import type { ClusterConfig } from './cluster-config.ts'
import { inClusterConfig } from './in-cluster-config.ts'
import { kubeconfig } from './kubeconfig.ts'

/**
 * Returns the configuration of a kubeconfig, or without one that of the pod that this process runs in.
 * @throws FailedPreconditionError outside of a pod without a kubeconfig, InvalidInputError for a kubeconfig that cannot be used
 */
export async function findClusterConfig(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ClusterConfig> {
  return file === undefined ? inClusterConfig(environment) : kubeconfig(file)
}
