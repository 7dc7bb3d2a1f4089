import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@wadi/testing/free-port.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { type KubernetesApi, startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'

/** A stand-in for a cluster, and the environment of a service that uses it. */
export interface ClusterFixture extends AsyncDisposable {
  readonly api: KubernetesApi
  readonly env: Readonly<Record<string, string>>
  /** Returns the answer of the service's `/readyz`, as `status text`; undefined when nobody listens. */
  readonly readyz: () => Promise<string | undefined>
}

/** Starts a stand-in that serves nothing of ours yet. */
export async function startClusterFixture(): Promise<ClusterFixture> {
  await using owned = new AsyncDisposableStack()
  const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-state-')))
  const api = owned.use(await startKubernetesApi())
  const kubeconfig = path.join(directory, 'kubeconfig')
  await writeKubeconfig(kubeconfig, api.config)
  const listen = `127.0.0.1:${await freePort()}`
  const env = {
    WADI_STORE: 'kubernetes',
    WADI_KUBECONFIG: kubeconfig,
    WADI_LISTEN: listen,
    WADI_SERVICE_KEY_FILE: path.join(directory, 'service.key'),
    WADI_DATA_DIR: directory,
    WADI_LOG_LEVEL: 'error',
  }
  const readyz = async () => {
    const answer = await fetch(`http://${listen}/readyz`).catch(() => undefined)
    return answer && `${answer.status} ${await answer.text()}`
  }
  const moved = owned.move()
  return { api, env, readyz, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
