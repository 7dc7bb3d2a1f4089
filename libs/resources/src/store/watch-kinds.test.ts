import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { application, configMap } from './contract/contract-objects-fixture.ts'
import type { WatchOptions } from './resource-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { watchKinds } from './watch-kinds.ts'

const directory = mkdtempSync(join(tmpdir(), 'wadi-watch-kinds-'))
after(() => rmSync(directory, { recursive: true, force: true }))
let files = 0
const open = () => openSqliteStore({ file: join(directory, `${files++}.db`) })

test('every kind begins where its own list ended', async () => {
  await using store = open()
  await store.create(configMap('known'))
  const { resourceVersion } = await store.list('ConfigMap')
  await store.create(application('a'))
  await store.create(configMap('later'))
  const kinds = [{ kind: 'ConfigMap', fromResourceVersion: resourceVersion }, { kind: 'Application' }]
  const stop = new AbortController()
  const names: string[] = []
  for await (const { resource } of watchKinds(store, kinds, stop.signal)) {
    if (names.push(resource.metadata.name) === 2) await store.create(application('b'))
    if (names.length === 3) stop.abort()
  }
  assert.deepEqual([names.slice(0, 2).toSorted(), names.slice(2)], [['a', 'later'], ['b']])
})

test('a watch that fails ends the others, and its error is thrown', async () => {
  const running = new Set<string>()
  const watch = async function* (kind: string, { signal }: WatchOptions) {
    running.add(kind)
    yield { type: 'added', resource: configMap(kind) } as const
    if (kind === 'Secret') throw new Error('the history is gone')
    const { promise, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    running.delete(kind)
  }
  const seen: string[] = []
  const all = async () => {
    const kinds = [{ kind: 'ConfigMap' }, { kind: 'Secret' }]
    for await (const { resource } of watchKinds({ watch }, kinds, new AbortController().signal)) {
      seen.push(resource.metadata.name)
    }
  }
  await assert.rejects(all(), /the history is gone/)
  assert.deepEqual([seen, [...running]], [['ConfigMap', 'Secret'], ['Secret']])
})

test('who stops to take events ends all watches', async () => {
  await using store = open()
  for (const name of ['a', 'b', 'c']) {
    await store.create(configMap(name))
    await store.create(application(name))
  }
  const kinds = [{ kind: 'ConfigMap' }, { kind: 'Application' }]
  let taken = 0
  for await (const _ of watchKinds(store, kinds, new AbortController().signal)) if (++taken === 2) break
  assert.equal(taken, 2)
})
