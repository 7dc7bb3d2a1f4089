import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { openKubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import { openSingleMemory } from '@wadi/queue/shared-memory.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { BranchRecords } from '../run/report/branch-records.ts'
import { startPullRequest } from './pull-request-fixture.ts'

test('a pull request is kept though the API server drops the name of the attempt, as an old definition does', async () => {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-definition-')))
  const [, , , current = ''] = crdFiles
  const old = join(directory.path, 'hydratedbranches.yaml')
  const definition = await readFile(current, 'utf8')
  await writeFile(old, definition.replace(/^ +attempt:\n +type: string\n +description: .*\n/m, ''))
  const api = owned.use(await startKubernetesApi())
  await api.applyCrds(old)
  api.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } })
  const client = owned.use(new KubernetesClient(api.config))
  const followed = { HydratedBranch: [{ namespaces: ['argocd'] }] }
  const store = owned.use(openKubernetesStore(client, { followed, onError: () => undefined }))
  const records = new BranchRecords(store, openSingleMemory())
  const kept = owned.use(await startPullRequest({ 'wadi.dev/pull-requests': 'open' }, records))
  kept.remote.failure = new FailedPreconditionError('no right')
  await kept.keep()
  assert.equal((await kept.record())?.message, 'cannot be kept: no right')
  await kept.keep()
  const record = await kept.record()
  assert.deepEqual([record?.state, record?.number, kept.remote.asked], ['open', '7', ['put', 'put']])
})
