import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { HydrationFixture } from '../hydration-fixture.ts'
import { gitUser, quietEnvironment, startListenedGitServer } from '../mesh-fixture.ts'
import type { OwnCluster } from './own-cluster-fixture.ts'

/** Starts a mesh that reads the policies of its cluster, which has the Namespaces shop, of `env: prod`, and demo, of `env: test`. */
export async function startPolicyMesh(open: () => Promise<OwnCluster>) {
  await using owned = new AsyncDisposableStack()
  const cluster = owned.use(await open())
  const client = owned.use(new KubernetesClient(cluster.config))
  for (const [name, env] of Object.entries({ shop: 'prod', demo: 'test' }))
    await client.create(usedResource('Namespace'), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { env } },
    })
  const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-policies-')))
  const kubeconfig = path.join(directory, 'kubeconfig')
  await writeKubeconfig(kubeconfig, cluster.config)
  const git = await startListenedGitServer()
  owned.use(git.server)
  const dataDirectory = path.join(directory, 'data')
  await shareToolCache(dataDirectory)
  const environment = {
    ...quietEnvironment,
    WADI_STORE: 'kubernetes',
    WADI_KUBECONFIG: kubeconfig,
    WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write',
    WADI_CLUSTER_POLICIES: 'true',
  }
  const mesh = owned.use(await startMesh({ dataDirectory, listen: '127.0.0.1:0', environment }))
  const parts = { address: mesh.address, token: mesh.adminToken, directory, git: git.server }
  const fixture = owned.use(new HydrationFixture(parts))
  await fixture.addCredentials({ repoUrl: git.server.url, isPrefix: true, ...gitUser })
  const kept = owned.move()
  return { client, fixture, address: mesh.address, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
