import assert from 'node:assert/strict'
import type { ResourceEvent } from '../resource-store.ts'
import { application, configMap, type ContractCase } from './contract-objects-fixture.ts'

/** The promises about watches. */
export const watchCases: Readonly<Record<string, ContractCase>> = {
  'a watch delivers what exists and then every change of its kind, those of an object in order': async (
    store,
  ) => {
    await store.create(configMap('old'))
    const stop = new AbortController()
    const watch = store.watch('ConfigMap', { signal: stop.signal })[Symbol.asyncIterator]()
    assert.deepEqual(await takeEvents(watch, 1), { old: ['added'] })
    const created = await store.create(configMap('new'))
    await store.update({ ...created, data: { value: '1' } })
    await store.create(application('other'))
    await store.create(configMap('key'))
    await store.delete('ConfigMap', 'argocd', 'new')
    assert.deepEqual(await takeEvents(watch, 4), { new: ['added', 'modified', 'deleted'], key: ['added'] })
    stop.abort()
    assert.deepEqual(await watch.next(), { done: true, value: undefined })
  },

  'a watch from a version delivers only what came after it': async (store) => {
    await store.create(configMap('a'))
    const { resourceVersion } = await store.list('ConfigMap')
    await store.create(configMap('b'))
    await store.delete('ConfigMap', 'argocd', 'a')
    const stop = new AbortController()
    const watch = store.watch('ConfigMap', { fromResourceVersion: resourceVersion, signal: stop.signal })
    const events = watch[Symbol.asyncIterator]()
    assert.deepEqual(await takeEvents(events, 2), { b: ['added'], a: ['deleted'] })
    stop.abort()
  },

  'a waiting watch ends when its signal aborts and when its store closes': async (store) => {
    const stop = new AbortController()
    const first = store.watch('ConfigMap', { signal: stop.signal })[Symbol.asyncIterator]().next()
    const second = store.watch('ConfigMap', { signal: new AbortController().signal })
    const secondNext = second[Symbol.asyncIterator]().next()
    stop.abort()
    assert.equal((await first).done, true)
    await store[Symbol.asyncDispose]()
    assert.equal((await secondNext).done, true)
  },
}

/** The types of the next events of a watch, by the name of the object and in order. */
async function takeEvents(
  watch: AsyncIterator<ResourceEvent>,
  count: number,
): Promise<Record<string, string[]>> {
  const events: Record<string, string[]> = {}
  for (let taken = 0; taken < count; taken++) {
    const { done, value } = await watch.next()
    if (done) break
    ;(events[value.resource.metadata.name] ??= []).push(value.type)
  }
  return events
}
