import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import { openSingleMemory, type SharedMemory } from '@wadi/queue/shared-memory.ts'
import { FingerprintCache } from './fingerprint-cache.ts'

const fingerprints = VersionedMap.of([
  ['a', 'one'],
  ['b/c', 'two'],
])

async function directory() {
  const made = await mkdtempDisposable(join(tmpdir(), 'wadi-fingerprints-'))
  return { directory: join(made.path, 'fingerprints'), [Symbol.asyncDispose]: () => made.remove() }
}

const entries = (map: Iterable<[string, string]> | undefined) => map && new Map(map)

test('fingerprints are known for exactly the head that they were written for', async () => {
  await using bed = await directory()
  const cache = new FingerprintCache(bed.directory, openSingleMemory())
  assert.equal(await cache.read('branch-1', 'head-1'), undefined)
  await cache.write('branch-1', 'head-1', fingerprints)
  assert.deepEqual(entries(await cache.read('branch-1', 'head-1')), entries(fingerprints))
  assert.equal(await cache.read('branch-1', 'head-2'), undefined)
  assert.equal(await cache.read('branch-2', 'head-1'), undefined)
  assert.equal(await cache.read('branch-1', ''), undefined)
})

test('the next process knows what this one wrote, and this one what another wrote meanwhile', async () => {
  await using bed = await directory()
  const cache = new FingerprintCache(bed.directory, openSingleMemory())
  await cache.write('branch-1', 'head-1', fingerprints)
  const other = new FingerprintCache(bed.directory, openSingleMemory())
  assert.deepEqual(entries(await other.read('branch-1', 'head-1')), entries(fingerprints))
  await other.write('branch-1', 'head-2', VersionedMap.of([['a', 'newer']]))
  assert.deepEqual(entries(await cache.read('branch-1', 'head-2')), new Map([['a', 'newer']]))
})

test('what was just written is not written again, and what differs is', async () => {
  await using bed = await directory()
  const remembered: string[] = []
  const memory: SharedMemory = {
    ...openSingleMemory(),
    remember: async (name) => void remembered.push(name),
  }
  const cache = new FingerprintCache(bed.directory, memory)
  await cache.write('branch-1', 'head-1', fingerprints)
  await cache.write('branch-1', 'head-1', VersionedMap.of(fingerprints))
  assert.equal(remembered.length, 1)
  await cache.write('branch-1', 'head-1', VersionedMap.of([...fingerprints, ['d', 'three']]))
  await cache.write('branch-1', 'head-2', fingerprints)
  assert.equal(remembered.length, 3)
  const next = new FingerprintCache(bed.directory, memory)
  assert.deepEqual(entries(await next.read('branch-1', 'head-2')), entries(fingerprints))
})

test('what is read has the version that was written, which the next plan is compared with', async () => {
  await using bed = await directory()
  const cache = new FingerprintCache(bed.directory, openSingleMemory())
  await cache.write('branch-1', 'head-1', fingerprints)
  assert.equal((await cache.read('branch-1', 'head-1'))?.version, fingerprints.version)
  const next = VersionedMap.of([...fingerprints, ['a', 'newer']])
  await cache.write('branch-1', 'head-2', next)
  assert.equal((await cache.read('branch-1', 'head-2'))?.version, next.version)
})

test('a file that was cut short is treated as absent', async () => {
  await using bed = await directory()
  await new FingerprintCache(bed.directory, openSingleMemory()).write('branch-1', 'head-1', fingerprints)
  await truncate(join(bed.directory, 'branch-1.json'), 10)
  assert.equal(
    await new FingerprintCache(bed.directory, openSingleMemory()).read('branch-1', 'head-1'),
    undefined,
  )
})

test('more branches than memory keeps are still known from their files, one each', async () => {
  await using bed = await directory()
  const cache = new FingerprintCache(bed.directory, openSingleMemory())
  const keys = Array.from({ length: 70 }, (_, index) => `branch-${index}`)
  for (const key of keys) await cache.write(key, 'head', VersionedMap.of([['a', key]]))
  for (const key of keys) assert.deepEqual(entries(await cache.read(key, 'head')), new Map([['a', key]]))
  assert.equal((await readdir(bed.directory)).length, keys.length)
})

test('a hydrator that has never seen a branch knows what another one wrote, and nothing of what is damaged', async () => {
  await using bed = await directory()
  const values = new Map<string, Buffer>()
  const shared: SharedMemory = {
    ...openSingleMemory(),
    recall: async (name) => values.get(name),
    remember: async (name, value) => void values.set(name, value),
  }
  await new FingerprintCache(join(bed.directory, 'one'), shared).write('branch-1', 'head-1', fingerprints)
  const other = new FingerprintCache(join(bed.directory, 'two'), shared)
  assert.deepEqual(entries(await other.read('branch-1', 'head-1')), entries(fingerprints))
  assert.equal(await other.read('branch-1', 'head-2'), undefined)
  for (const [name, value] of values) values.set(name, value.subarray(0, 20))
  const third = new FingerprintCache(join(bed.directory, 'three'), shared)
  assert.equal(await third.read('branch-1', 'head-1'), undefined)
})

test('of a large branch a change is stored as what changed, for this process, the next and the other hydrators', async () => {
  await using bed = await directory()
  const values = new Map<string, Buffer>()
  const bytes: number[] = []
  const shared: SharedMemory = {
    ...openSingleMemory(),
    recall: async (name) => values.get(name),
    remember: async (name, value) => {
      values.set(name, value)
      bytes.push(value.length)
    },
  }
  const open = (name: string) => new FingerprintCache(join(bed.directory, name), shared)
  const large = VersionedMap.of(
    Array.from({ length: 1_000 }, (_, index) => [`apps/${index}`, `fingerprint ${index}`]),
  )
  const [one, two] = [open('one'), open('two')]
  await one.write('branch-1', 'head-0', large)
  let now = large
  for (let n = 1; n <= 80; n++) {
    now = now.with([
      [`apps/${n}`, `changed ${n}`],
      [`new/${n % 3}`, `added ${n}`],
      [`apps/${n + 500}`, n % 5 === 0 ? undefined : now.get(`apps/${n + 500}`)],
    ])
    const [writer, reader] = n % 2 === 0 ? [one, two] : [two, one]
    assert.ok(await writer.read('branch-1', `head-${n - 1}`))
    await writer.write('branch-1', `head-${n}`, now)
    assert.deepEqual(entries(await reader.read('branch-1', `head-${n}`)), entries(now))
    assert.deepEqual(
      entries(await open(n % 2 === 0 ? 'one' : 'two').read('branch-1', `head-${n}`)),
      entries(now),
    )
    assert.equal(await open('three').read('branch-1', `head-${n - 1}`), undefined)
  }
  const [whole = 0] = bytes
  const small = bytes.filter((size) => size < whole / 4)
  assert.ok(small.length > 75, `${small.length} of ${bytes.length} are small`)
})

test('after changes that were cut short, and after a base of another process, only what is right is known', async () => {
  await using bed = await directory()
  const open = () => new FingerprintCache(bed.directory, openSingleMemory())
  const cache = open()
  await cache.write('branch-1', 'head-1', fingerprints)
  const later = VersionedMap.of([...fingerprints, ['d', 'three']])
  await cache.write('branch-1', 'head-2', later)
  assert.deepEqual(entries(await open().read('branch-1', 'head-2')), entries(later))
  await truncate(join(bed.directory, 'branch-1.changes.json'), 10)
  assert.equal(await open().read('branch-1', 'head-2'), undefined)
  assert.deepEqual(entries(await open().read('branch-1', 'head-1')), entries(fingerprints))
  await open().write('branch-1', 'head-3', VersionedMap.of([['other', 'base']]))
  await cache.write('branch-1', 'head-4', later)
  assert.equal(await open().read('branch-1', 'head-4'), undefined)
  assert.deepEqual(entries(await open().read('branch-1', 'head-3')), new Map([['other', 'base']]))
})
