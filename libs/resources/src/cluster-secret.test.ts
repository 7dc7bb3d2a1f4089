import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import {
  clusterOfDestination,
  comparableServer,
  inCluster,
  isClusterSecret,
  readClusters,
} from './cluster-secret.ts'
import type { Resource } from './resource.ts'
import { openSqliteStore } from './store/sqlite-store.ts'

function secret(name: string, stringData: Record<string, string>, type = 'cluster'): Resource {
  const labels = { 'argocd.argoproj.io/secret-type': type }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'argocd', labels }, stringData }
}

test('clusters are read from their Secrets, and in-cluster is there unless one has its address', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-clusters-'))
  await using store = openSqliteStore({ file: join(directory.path, 'state.db') })
  await store.create(secret('repo', { server: 'https://x' }, 'repository'))
  await store.create({
    ...secret('elsewhere', { server: 'https://x' }),
    metadata: { ...secret('elsewhere', {}).metadata, namespace: 'team' },
  })
  await store.create(
    secret('east', { server: ' https://east// ', project: 'dev', namespaces: 'a, ,b', config: '{}' }),
  )
  const east = { server: 'https://east', name: 'https://east', project: 'dev', namespaces: ['a', 'b'] }
  assert.deepEqual(await readClusters(store), [inCluster, east])
  await store.create(secret('home', { server: 'https://kubernetes.default.svc/', name: 'home' }))
  assert.deepEqual(
    (await readClusters(store)).map(({ name }) => name),
    ['https://east', 'home'],
  )
})

test('only labelled Secrets are clusters', () => {
  assert.equal(isClusterSecret(secret('a', {})), true)
  assert.equal(isClusterSecret(secret('a', {}, 'repository')), false)
  assert.equal(isClusterSecret({ ...secret('a', {}), kind: 'ConfigMap' }), false)
  assert.equal(isClusterSecret({ kind: 'Secret', metadata: { name: 'a' } }), false)
})

test('a destination finds its cluster by address, whatever its slashes, or by a name that one cluster has', () => {
  const cluster = (name: string, server: string) => ({ ...inCluster, name, server })
  const clusters = [cluster('a', 'https://a'), cluster('b', 'https://b1'), cluster('b', 'https://b2')]
  assert.equal(clusterOfDestination(clusters, { server: 'https://a/' })?.name, 'a')
  assert.equal(clusterOfDestination(clusters, { name: 'a' })?.server, 'https://a')
  for (const destination of [{}, { name: 'c' }, { server: 'https://c' }, { server: '', name: '' }])
    assert.equal(clusterOfDestination(clusters, destination), undefined)
  assert.throws(() => clusterOfDestination(clusters, { name: 'b' }), {
    name: 'InvalidInputError',
    message: `there are 2 clusters with the name "b"; name the destination's server instead`,
  })
})

test('an address that is made to be slow to compare takes no time', () => {
  const slow = `${'/'.repeat(100_000)}x//`
  assert.ok(threadMs(() => assert.equal(comparableServer(slow).length, 100_001)) < 500)
})
