import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type TestCluster, testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { application, applications, secrets } from '../object-fixture.ts'
import { KubernetesClient } from './kubernetes-client.ts'
import { isExpired } from './status-error.ts'
import type { WatchEvent } from './watch-events.ts'

const timeoutSeconds = 120

for (const { name: clusterName, missing, open } of testClusterKinds) {
  suite(`watches of the ${clusterName}`, { skip: missing ?? false }, () => {
    let cluster: TestCluster
    let client: KubernetesClient
    before(async () => {
      cluster = await open()
      client = new KubernetesClient(cluster.config)
    })
    after(async () => {
      await client[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    })

    /** The type and name of the next events; bookmarks other than the end of a list are left out. */
    async function next(events: AsyncIterator<WatchEvent>, count: number): Promise<string[]> {
      const seen: string[] = []
      while (seen.length < count) {
        const { value, done } = await events.next()
        assert.ok(done !== true, `the watch ended after ${seen.join(', ')}`)
        const { type, object } = value
        const isEnd = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true'
        if (type !== 'BOOKMARK') seen.push(`${type} ${object.metadata.name}`)
        else if (isEnd) seen.push('end of list')
      }
      return seen
    }

    test('a watch sends everything that exists, says so, and sends each change', async () => {
      const namespace = await cluster.createNamespace()
      await client.create(applications, application(namespace, 'a'))
      await client.create(applications, application(namespace, 'b'))
      const end = new AbortController()
      const events = client.watch(applications, { namespace }, { timeoutSeconds }, end.signal)
      const listed = await next(events, 3)
      assert.deepEqual([listed.slice(0, 2).toSorted(), listed[2]], [['ADDED a', 'ADDED b'], 'end of list'])
      await client.patch(applications, { namespace, name: 'a' }, { spec: { x: 1 } })
      await client.create(applications, application(namespace, 'c'))
      await client.delete(applications, { namespace, name: 'b' })
      assert.deepEqual(await next(events, 3), ['MODIFIED a', 'ADDED c', 'DELETED b'])
      end.abort()
      await assert.rejects(events.next(), { name: 'AbortError' })
    })

    test('a watch from a version misses nothing and repeats nothing', async () => {
      const namespace = await cluster.createNamespace()
      await client.create(applications, application(namespace, 'a'))
      const { resourceVersion } = await client.list(applications, { namespace })
      await client.create(applications, application(namespace, 'b'))
      const end = new AbortController()
      const start = { resourceVersion, timeoutSeconds }
      const events = client.watch(applications, { namespace }, start, end.signal)
      assert.deepEqual(await next(events, 1), ['ADDED b'])
      end.abort()
    })

    test('to a watch with a selector, an object that ceases to match is deleted and one that begins to is added', async () => {
      const namespace = await cluster.createNamespace()
      const labels = { env: 'dev' }
      await client.create(applications, application(namespace, 'a', { labels }))
      const end = new AbortController()
      const selection = { namespace, labelSelector: 'env=dev' }
      const events = client.watch(applications, selection, { timeoutSeconds }, end.signal)
      assert.deepEqual(await next(events, 2), ['ADDED a', 'end of list'])
      const label = (env: string) =>
        client.patch(applications, { namespace, name: 'a' }, { metadata: { labels: { env } } })
      const left = await label('prod')
      const gone = await events.next()
      assert.equal(gone.value?.type, 'DELETED')
      assert.equal(gone.value?.object.metadata.resourceVersion, left.metadata.resourceVersion)
      assert.deepEqual(gone.value?.object.metadata.labels, labels)
      await label('dev')
      assert.deepEqual(await next(events, 1), ['ADDED a'])
      end.abort()
    })

    test('a watch of one Secret by its name hears of no other', async () => {
      const namespace = await cluster.createNamespace()
      const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name } })
      const end = new AbortController()
      const selection = { namespace, fieldSelector: 'metadata.name=a' }
      const events = client.watch(secrets, selection, { timeoutSeconds }, end.signal)
      assert.deepEqual(await next(events, 1), ['end of list'])
      await client.create(secrets, secret('b'))
      await client.create(secrets, secret('a'))
      await client.delete(secrets, { namespace, name: 'b' })
      await client.delete(secrets, { namespace, name: 'a' })
      await client.create(secrets, secret('a'))
      assert.deepEqual(await next(events, 3), ['ADDED a', 'DELETED a', 'ADDED a'])
      end.abort()
    })

    test('a version that the server no longer knows is expired', async () => {
      const namespace = await cluster.createNamespace()
      const start = { resourceVersion: '1', timeoutSeconds }
      const events = client.watch(applications, { namespace }, start, AbortSignal.timeout(60_000))
      await assert.rejects(events.next(), (error) => isExpired(error))
    })

    test('the server ends a watch when its time is over', async () => {
      const namespace = await cluster.createNamespace()
      const events = client.watch(
        applications,
        { namespace },
        { timeoutSeconds: 1 },
        AbortSignal.timeout(60_000),
      )
      assert.deepEqual(await next(events, 1), ['end of list'])
      for (let result = await events.next(); result.done !== true; result = await events.next()) {
        assert.equal(result.value.type, 'BOOKMARK')
      }
    })
  })
}
