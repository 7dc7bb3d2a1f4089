import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { startProcessMesh } from '../process-mesh-fixture.ts'
import { openStandIn, type OwnCluster, ownClusterKinds } from './own-cluster-fixture.ts'

/** The services that each service calls, as the chart mounts tokens for them. */
const calledBy: Readonly<Record<string, readonly string[]>> = {
  'api-gateway': ['hydrator', 'repo-server', 'commit-server', 'appset-service'],
  hydrator: ['repo-server', 'commit-server'],
  'appset-service': ['repo-server'],
}

/** A real API server where there is one. */
const { open } = ownClusterKinds.findLast(({ missing }) => missing === undefined) ?? { open: openStandIn }

/** Writes the tokens of each service as a pod has them, each service in a directory of its own. */
async function writeTokens(cluster: OwnCluster, directory: string): Promise<void> {
  for (const [service, called] of Object.entries(calledBy)) {
    await mkdir(path.join(directory, service))
    for (const name of called) {
      const token = await cluster.accountToken(`wadi-${service}`, `wadi-${name}`)
      await writeFile(path.join(directory, service, name), token)
    }
  }
}

test('services that know each other by their ServiceAccounts alone hydrate an Application, and none makes a key', async () => {
  await using owned = new AsyncDisposableStack()
  const cluster = owned.use(await open())
  const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-accounts-')))
  await writeTokens(cluster, directory)
  const kubeconfig = path.join(directory, 'kubeconfig')
  await writeKubeconfig(kubeconfig, cluster.config)
  const signingKey = path.join(directory, 'signing.key')
  await writeFile(signingKey, randomBytes(32))
  const keyFile = path.join(directory, 'service.key')
  const mesh = owned.use(
    await startProcessMesh({
      replicas: { 'cmp-server': 0 },
      environment: {
        WADI_STORE: 'kubernetes',
        WADI_KUBECONFIG: kubeconfig,
        WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write',
        WADI_SERVICE_IDENTITY: 'accounts',
        WADI_SERVICE_KEY_FILE: keyFile,
      },
      environmentOf: (service) => ({
        WADI_SERVICE_TOKENS_DIR: path.join(directory, service),
        // Signs the authors of ApplicationSets, and nothing else.
        ...(service === 'appset-service' && { WADI_SERVICE_KEY_FILE: signingKey }),
      }),
    }),
  )
  const { repository, branch } = await mesh.fixture.hydratedOnce('web')
  assert.equal((await repository.commits(branch)).length, 1)
  await assert.rejects(access(keyFile), { code: 'ENOENT' })
})
