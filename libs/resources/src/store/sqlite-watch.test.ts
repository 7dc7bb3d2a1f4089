import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Resource } from '../resource.ts'
import { mutate } from './resource-store.ts'
import type { ResourceEvent } from './resource-store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'wadi-watch-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const writerProgram = join(import.meta.dirname, '../../testdata/writer-process.ts')

let files = 0
const newFile = () => join(directory, `${files++}.db`)

function configMap(name: string, value = ''): Resource {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shared', name }, data: { value } }
}

/** Returns the next events of a watch as `type name`. */
async function take(watch: AsyncIterator<ResourceEvent>, count: number): Promise<string[]> {
  const events: string[] = []
  while (events.length < count) {
    const { done, value } = await watch.next()
    if (done) break
    events.push(`${value.type} ${value.resource.metadata.name}`)
  }
  return events
}

test('a change by another store of the file in this process is delivered before anything else happens', async () => {
  const file = newFile()
  await using writer = openSqliteStore({ file })
  await using store = openSqliteStore({ file: join(directory, '.', `${files - 1}.db`) })
  const stop = new AbortController()
  const watch = store.watch('ConfigMap', { signal: stop.signal })[Symbol.asyncIterator]()
  await writer.create(configMap('first'))
  assert.deepEqual(await take(watch, 1), ['added first'])
  const next = take(watch, 1)
  await writer.create(configMap('second'))
  const nothingMore = new Promise((resolve) => setImmediate(resolve, 'too late'))
  assert.deepEqual(await Promise.race([next, nothingMore]), ['added second'])
  stop.abort()
})

test('a watch that fell behind the log delivers the differences', async () => {
  await using store = openSqliteStore({ file: newFile(), logLength: 4 })
  for (const name of ['gone', 'kept', 'changed']) await store.create(configMap(name))
  const stop = new AbortController()
  const watch = store.watch('ConfigMap', { signal: stop.signal })[Symbol.asyncIterator]()
  assert.deepEqual(await take(watch, 3), ['added changed', 'added gone', 'added kept'])
  await store.delete('ConfigMap', 'shared', 'gone')
  for (let n = 0; n < 20; n++) {
    await mutate(store, 'ConfigMap', 'shared', 'changed', (current) => ({
      ...current,
      data: { value: `${n}` },
    }))
  }
  await store.create(configMap('new'))
  assert.deepEqual(await take(watch, 3), ['modified changed', 'added new', 'deleted gone'])
  await store.create(configMap('next'))
  assert.deepEqual(await take(watch, 1), ['added next'])
  stop.abort()
})

test(
  'a start from a version older than the log delivers everything that exists',
  { timeout: 10_000 },
  async () => {
    await using store = openSqliteStore({ file: newFile(), logLength: 2 })
    for (let n = 0; n < 6; n++) await store.create(configMap(`m-${n}`))
    const stop = new AbortController()
    const watch = store.watch('ConfigMap', { fromResourceVersion: '1', signal: stop.signal })
    assert.deepEqual(
      await take(watch[Symbol.asyncIterator](), 6),
      Array.from({ length: 6 }, (_, n) => `added m-${n}`),
    )
    stop.abort()
  },
)

test('writers of other processes lose no update and are seen in order', async () => {
  const file = newFile()
  await using store = openSqliteStore({ file })
  await store.create(configMap('counter', '0'))
  const { resourceVersion } = await store.list('ConfigMap')
  const stop = new AbortController()
  const watch = store.watch('ConfigMap', { fromResourceVersion: resourceVersion, signal: stop.signal })
  const writers = ['x', 'y'].map((prefix) =>
    spawn(process.execPath, [writerProgram, file, prefix, '40'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  )
  const exits = Promise.all(writers.map((writer) => once(writer, 'exit')))
  const seen: Resource[] = []
  for await (const { resource } of watch) {
    if (seen.push(resource) === 160) stop.abort()
  }
  assert.deepEqual(await exits, [
    [0, null],
    [0, null],
  ])
  assert.deepEqual(
    seen.map(({ metadata }) => Number(metadata.resourceVersion)),
    Array.from({ length: 160 }, (_, n) => n + 2),
  )
  assert.deepEqual((await store.get('ConfigMap', 'shared', 'counter'))?.data, { value: '80' })
})

test('a writer that is killed loses nothing that was confirmed as stored', async () => {
  const file = newFile()
  await using store = openSqliteStore({ file })
  await store.create(configMap('counter', '0'))
  const writer = spawn(process.execPath, [writerProgram, file, 'x', '100000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stored = -1
  createInterface(writer.stdout).on('line', (line) => {
    stored = Number(line)
    if (stored === 30) writer.kill('SIGKILL')
  })
  await once(writer, 'close')
  assert.ok(stored >= 30)
  assert.notEqual(await store.get('ConfigMap', 'shared', `x-${stored}`), undefined)
  const counted = Number((await store.get('ConfigMap', 'shared', 'counter'))?.data?.['value'])
  const { items } = await store.list('ConfigMap')
  assert.ok(
    counted >= stored + 1 && items.length - 1 - counted <= 1,
    `${counted} counted, ${items.length} items`,
  )
  const database = new DatabaseSync(file)
  assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
  database.close()
})
