import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FingerprintCache } from './fingerprint-cache.ts'

const fingerprints = new Map([
  ['a', 'one'],
  ['b/c', 'two'],
])

async function folder() {
  const made = await mkdtempDisposable(join(tmpdir(), 'wadi-fingerprints-'))
  return { directory: join(made.path, 'fingerprints'), [Symbol.asyncDispose]: () => made.remove() }
}

test('fingerprints are known for exactly the head that they were written for', async () => {
  await using bed = await folder()
  const cache = new FingerprintCache(bed.directory)
  assert.equal(await cache.read('branch-1', 'head-1'), undefined)
  await cache.write('branch-1', 'head-1', fingerprints)
  assert.deepEqual(await cache.read('branch-1', 'head-1'), fingerprints)
  assert.equal(await cache.read('branch-1', 'head-2'), undefined)
  assert.equal(await cache.read('branch-2', 'head-1'), undefined)
  assert.equal(await cache.read('branch-1', ''), undefined)
})

test('the next process knows what this one wrote, and this one what another wrote meanwhile', async () => {
  await using bed = await folder()
  const cache = new FingerprintCache(bed.directory)
  await cache.write('branch-1', 'head-1', fingerprints)
  const other = new FingerprintCache(bed.directory)
  assert.deepEqual(await other.read('branch-1', 'head-1'), fingerprints)
  await other.write('branch-1', 'head-2', new Map([['a', 'newer']]))
  assert.deepEqual(await cache.read('branch-1', 'head-2'), new Map([['a', 'newer']]))
})

test('what a run does to its map does not reach the cache', async () => {
  await using bed = await folder()
  const cache = new FingerprintCache(bed.directory)
  const written = new Map(fingerprints)
  await cache.write('branch-1', 'head-1', written)
  written.set('a', 'changed after writing')
  ;(await cache.read('branch-1', 'head-1'))?.set('b/c', 'changed after reading')
  assert.deepEqual(await cache.read('branch-1', 'head-1'), fingerprints)
})

test('a file that was cut short is treated as absent', async () => {
  await using bed = await folder()
  await new FingerprintCache(bed.directory).write('branch-1', 'head-1', fingerprints)
  await truncate(join(bed.directory, 'branch-1.json'), 10)
  assert.equal(await new FingerprintCache(bed.directory).read('branch-1', 'head-1'), undefined)
})

test('more branches than memory keeps are still known from their files, one each', async () => {
  await using bed = await folder()
  const cache = new FingerprintCache(bed.directory)
  const keys = Array.from({ length: 70 }, (_, index) => `branch-${index}`)
  for (const key of keys) await cache.write(key, 'head', new Map([['a', key]]))
  for (const key of keys) assert.deepEqual(await cache.read(key, 'head'), new Map([['a', key]]))
  assert.equal((await readdir(bed.directory)).length, keys.length)
})
