import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { ClusterConfig } from './cluster-config.ts'
import { fileToken } from './file-token.ts'

/** The directory of a pod's token, the CA of the API server and the pod's namespace, which the kubelet fills. */
const mountedDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * Returns the configuration of a pod: the API server from the environment, the rest from the directory of its service account.
 * @throws FailedPreconditionError outside of a pod, and in one without a mounted token.
 */
export async function inClusterConfig(
  environment: Readonly<Record<string, string | undefined>>,
  directory = mountedDirectory,
): Promise<ClusterConfig> {
  const host = environment['KUBERNETES_SERVICE_HOST']
  const port = environment['KUBERNETES_SERVICE_PORT'] ?? '443'
  if (host === undefined || host === '') {
    throw new FailedPreconditionError(
      'KUBERNETES_SERVICE_HOST is not set, so this is not a pod; name a kubeconfig instead',
    )
  }
  const read = async (name: string) => {
    const file = path.join(directory, name)
    return readFile(file, 'utf8').catch((error: unknown) => {
      throw new FailedPreconditionError(
        `${file} cannot be read; set automountServiceAccountToken: true for the pod or its service account`,
        { cause: error },
      )
    })
  }
  const namespace = (await read('namespace')).trim()
  const bearerToken = fileToken(path.join(directory, 'token'))
  await Promise.all([read('token'), read('ca.crt')])
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    namespace: namespace === '' ? undefined : namespace,
    tls: async () => ({ ca: await read('ca.crt') }),
    bearerToken,
  }
}
