import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile, readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { RenderCache } from './render-cache.ts'

const fingerprint = (digit: number): string => String(digit).repeat(64)

const rendered = (name: string) => ({
  manifests: [`{"kind":"ConfigMap","metadata":{"name":"${name}"}}`],
  files: [{ path: 'a.conf', content: name }],
  record: create(RenderRecordSchema, {
    commands: [`helm template ${name}`],
    tools: [{ name: 'helm', version: 'v3.0.0' }],
    warnings: [`${name} is old`],
    parameters: [{ path: '.a', value: { kind: { case: 'numberValue', value: 0.1 } } }],
    parametersLeftOut: 3,
    pluginVariables: { KUBE_VERSION: '1.34.0' },
  }),
})

async function openCache(maxBytes = 1_000_000) {
  const scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-renders-'))
  const cache = new RenderCache(join(scratch.path, 'renders'), maxBytes)
  return {
    cache,
    directory: join(scratch.path, 'renders'),
    file: (digit: number) =>
      join(scratch.path, 'renders', fingerprint(digit).slice(0, 2), fingerprint(digit).slice(2)),
    async [Symbol.asyncDispose]() {
      await cache[Symbol.asyncDispose]()
      await scratch.remove()
    },
  }
}

test('a rendered source is found by its fingerprint, also by the next process, and by no other', async () => {
  await using bed = await openCache()
  assert.equal(await bed.cache.read(fingerprint(1)), undefined)
  await bed.cache.write(fingerprint(1), rendered('a'))
  await using next = new RenderCache(bed.directory, 1_000_000)
  for (const cache of [bed.cache, next]) {
    assert.deepEqual(await cache.read(fingerprint(1)), rendered('a'))
    assert.equal(await cache.read(fingerprint(2)), undefined)
  }
})

test('what was rendered, secrets perhaps among it, is for the owner alone', async () => {
  await using bed = await openCache()
  await bed.cache.write(fingerprint(1), rendered('a'))
  assert.equal((await stat(bed.file(1))).mode & 0o777, 0o600)
  assert.equal((await stat(bed.directory)).mode & 0o777, 0o700)
})

test('an entry that was cut short is treated as absent and can be written again', async () => {
  await using bed = await openCache()
  await bed.cache.write(fingerprint(1), rendered('a'))
  await truncate(bed.file(1), 20)
  assert.equal(await bed.cache.read(fingerprint(1)), undefined)
  await bed.cache.write(fingerprint(1), rendered('a'))
  assert.deepEqual(await bed.cache.read(fingerprint(1)), rendered('a'))
})

test('an entry that was written without one of the facts of a record is not used', async () => {
  await using bed = await openCache()
  await bed.cache.write(fingerprint(1), rendered('a'))
  const entry = { ...(JSON.parse(await readFile(bed.file(1), 'utf8')) as object), version: 'commands tools' }
  await writeFile(bed.file(1), JSON.stringify(entry))
  assert.equal(await bed.cache.read(fingerprint(1)), undefined)
})

test('writers of one fingerprint at a time leave one whole entry and no other file', async () => {
  await using bed = await openCache()
  await Promise.all(Array.from({ length: 8 }, () => bed.cache.write(fingerprint(1), rendered('a'))))
  assert.deepEqual(await bed.cache.read(fingerprint(1)), rendered('a'))
  assert.equal((await readdir(join(bed.directory, '11'))).length, 1)
})

test('above the bound the entries go that were unused for longest', async () => {
  await using measured = await openCache()
  await measured.cache.write(fingerprint(1), rendered('a'))
  const { size } = await stat(measured.file(1))
  await using bed = await openCache(2 * size)
  const longAgo = new Date('2020-01-01T00:00:00Z')
  for (const digit of [1, 2, 3]) {
    await bed.cache.write(fingerprint(digit), rendered('a'))
    await utimes(bed.file(digit), longAgo, new Date(longAgo.getTime() + digit * 1000))
  }
  await bed.cache.read(fingerprint(1))
  await bed.cache.shrink()
  const left = []
  for (const digit of [1, 2, 3]) if (await bed.cache.read(fingerprint(digit))) left.push(digit)
  assert.deepEqual(left, [1, 3])
})

test('a cache without a directory has nothing to remove', async () => {
  await using bed = await openCache(0)
  await bed.cache.shrink()
  assert.equal(await bed.cache.read(fingerprint(1)), undefined)
})

test('warnings are found by the fingerprint of their render, also by the next process', async () => {
  await using bed = await openCache()
  await bed.cache.write(fingerprint(1), rendered('a'))
  assert.deepEqual(await bed.cache.readWarnings(fingerprint(1)), [])
  await bed.cache.writeWarnings(fingerprint(1), ['b is odd'])
  await using next = new RenderCache(bed.directory, 1_000_000)
  assert.deepEqual(await next.readWarnings(fingerprint(1)), ['b is odd'])
  assert.deepEqual(await next.read(fingerprint(1)), rendered('a'))
  assert.deepEqual(await next.readWarnings(fingerprint(2)), [])
})

test('verdicts are found by their key, apart from renders of an equal one, also by the next process', async () => {
  await using bed = await openCache()
  const verdict = { difference: 'renders differ in ConfigMap a: data.b', suspicion: '' }
  await bed.cache.write(fingerprint(1), rendered('a'))
  assert.equal(await bed.cache.readVerdict(fingerprint(1)), undefined)
  await bed.cache.writeVerdict(fingerprint(1), verdict)
  await using next = new RenderCache(bed.directory, 1_000_000)
  assert.deepEqual(await next.readVerdict(fingerprint(1)), verdict)
  assert.deepEqual(await next.read(fingerprint(1)), rendered('a'))
  assert.equal(await next.readVerdict(fingerprint(2)), undefined)
  const fields = [{ path: ['data', 'b'], lines: [1] }]
  const random = [{ group: '', kind: 'ConfigMap', namespace: '', name: 'a', fields }]
  await next.writeVerdict(fingerprint(1), { ...verdict, random })
  assert.deepEqual(await bed.cache.readVerdict(fingerprint(1)), { ...verdict, random })
})
