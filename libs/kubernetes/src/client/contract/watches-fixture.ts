import assert from 'node:assert/strict'
import { test } from 'node:test'
import { application, applications, secrets } from '../../object-fixture.ts'
import { isExpired } from '../status-error.ts'
import type { WatchEvent } from '../watch-events.ts'
import type { ContractCluster } from './contract-cluster-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const timeoutSeconds = 120

/** The tests of what watches send and how they end. */
export function watches(at: ContractCluster): void {
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
    const namespace = await at.createNamespace()
    await at.client.create(applications, application(namespace, 'a'))
    await at.client.create(applications, application(namespace, 'b'))
    const end = new AbortController()
    const events = at.client.watch(applications, { namespace }, { timeoutSeconds }, end.signal)
    const listed = await next(events, 3)
    assert.deepEqual([listed.slice(0, 2).toSorted(), listed[2]], [['ADDED a', 'ADDED b'], 'end of list'])
    await at.client.patch(applications, { namespace, name: 'a' }, { spec: { x: 1 } })
    await at.client.create(applications, application(namespace, 'c'))
    await at.client.delete(applications, { namespace, name: 'b' })
    assert.deepEqual(await next(events, 3), ['MODIFIED a', 'ADDED c', 'DELETED b'])
    end.abort()
    await assert.rejects(events.next(), { name: 'AbortError' })
  })

  test('a watch from a version misses nothing and repeats nothing', async () => {
    const namespace = await at.createNamespace()
    await at.client.create(applications, application(namespace, 'a'))
    const { resourceVersion } = await at.client.list(applications, { namespace })
    await at.client.create(applications, application(namespace, 'b'))
    const end = new AbortController()
    const start = { resourceVersion, timeoutSeconds }
    const events = at.client.watch(applications, { namespace }, start, end.signal)
    assert.deepEqual(await next(events, 1), ['ADDED b'])
    end.abort()
  })

  test('to a watch with a selector, an object that ceases to match is deleted and one that begins to is added', async () => {
    const namespace = await at.createNamespace()
    const labels = { env: 'dev' }
    await at.client.create(applications, application(namespace, 'a', { labels }))
    const end = new AbortController()
    const selection = { namespace, labelSelector: 'env=dev' }
    const events = at.client.watch(applications, selection, { timeoutSeconds }, end.signal)
    assert.deepEqual(await next(events, 2), ['ADDED a', 'end of list'])
    const label = (env: string) =>
      at.client.patch(applications, { namespace, name: 'a' }, { metadata: { labels: { env } } })
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
    const namespace = await at.createNamespace()
    const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name } })
    const end = new AbortController()
    const selection = { namespace, fieldSelector: 'metadata.name=a' }
    const events = at.client.watch(secrets, selection, { timeoutSeconds }, end.signal)
    assert.deepEqual(await next(events, 1), ['end of list'])
    await at.client.create(secrets, secret('b'))
    await at.client.create(secrets, secret('a'))
    await at.client.delete(secrets, { namespace, name: 'b' })
    await at.client.delete(secrets, { namespace, name: 'a' })
    await at.client.create(secrets, secret('a'))
    assert.deepEqual(await next(events, 3), ['ADDED a', 'DELETED a', 'ADDED a'])
    end.abort()
  })

  test('a version that the server no longer knows is expired', async () => {
    const namespace = await at.createNamespace()
    const start = { resourceVersion: '1', timeoutSeconds }
    const events = at.client.watch(applications, { namespace }, start, AbortSignal.timeout(hangLimitMs))
    await assert.rejects(events.next(), (error) => isExpired(error))
  })

  test('the server ends a watch when its time is over', async () => {
    const namespace = await at.createNamespace()
    const events = at.client.watch(
      applications,
      { namespace },
      { timeoutSeconds: 1 },
      AbortSignal.timeout(hangLimitMs),
    )
    assert.deepEqual(await next(events, 1), ['end of list'])
    for (let result = await events.next(); result.done !== true; result = await events.next()) {
      assert.equal(result.value.type, 'BOOKMARK')
    }
  })
}
