import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

test('the initial password is read from the Secret of a cluster, in the namespace that is given', async () => {
  await using api = await startKubernetesApi()
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-password-'))
  const kubeconfig = path.join(directory.path, 'kubeconfig')
  await writeKubeconfig(kubeconfig, api.config)
  api.put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'wadi', name: 'argocd-initial-admin-secret' },
    stringData: { password: 'correct horse' },
  })
  const command = ['admin', 'initial-password', '--kubeconfig', kubeconfig]
  const found = await runWadi([...command, '--namespace', 'wadi'])
  assert.deepEqual([found.stdout, found.code], ['correct horse\n', 0])
  const byEnvironment = await runWadi(['admin', 'initial-password'], {
    environment: { WADI_STORE: 'kubernetes', WADI_KUBECONFIG: kubeconfig, WADI_NAMESPACE: 'wadi' },
  })
  assert.equal(byEnvironment.stdout, 'correct horse\n')
  const elsewhere = await runWadi(command)
  assert.match(elsewhere.stderr, /there is no Secret argocd-initial-admin-secret: .* \(--namespace\)/)
  assert.notEqual(elsewhere.code, 0)
  const both = await runWadi([...command, '--data', directory.path])
  assert.match(both.stderr, /give either --data or --kubeconfig/)
})
