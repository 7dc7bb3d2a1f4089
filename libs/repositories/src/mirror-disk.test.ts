import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DiskFullError } from '@wadi/errors/machine-shortage.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { until } from '@wadi/testing/until.ts'
import type { RemovedMirror } from './mirror-disk.ts'
import { MirrorPool } from './mirror-pool.ts'
import { openRepositories } from './repository-fixture.ts'

const fileBytes = 1.5 * 1024 ** 2
const policy = { allowFile: true, allowPlainHttp: 'loopback' } as const

/** Repositories of 1.5 MiB each, and mirrors of them with room for two. */
async function openPool(maxBytes = 2.5 * fileBytes) {
  await using owned = new AsyncDisposableStack()
  const removed: RemovedMirror[] = []
  const onRemoved = (one: RemovedMirror): void => void removed.push(one)
  const pool = { policy, maxBytes, onRemoved }
  const opened = owned.use(await openRepositories('read', [], pool))
  const { scratch, repositories } = opened
  for (const name of ['a', 'b', 'c']) {
    const repository = await createRepository(join(scratch, name))
    await repository.commitFiles({ file: randomBytes(fileBytes) }, 'First\n')
  }
  const urlOf = (name: string): string => `file://${join(scratch, name)}`
  /** Reads the file of a repository, which is fetched if the mirror lacks it. */
  const read = (name: string, mirrors = opened.mirrors): Promise<number> =>
    mirrors.use(urlOf(name), '', async (mirror) => {
      if ((await mirror.objects.resolve('main:file')) === undefined)
        await mirror.fetch(['+refs/heads/*:refs/heads/*'])
      return mirror.objects.size('main:file')
    })
  const removedNames = (): string[] => removed.map(({ url }) => url.replace(/.*\//, ''))
  const directory = join(scratch, 'mirrors')
  const moved = owned.move()
  return {
    ...opened,
    repositories,
    directory,
    pool,
    urlOf,
    read,
    removed,
    removedNames,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

test('the mirrors that were not used for longest go when all are larger than the limit, and are fetched again', async () => {
  await using opened = await openPool()
  const { mirrors, read, removed, removedNames, directory } = opened
  for (const name of ['a', 'b', 'a']) await read(name)
  await mirrors.disk.keepLimit()
  assert.deepEqual(removedNames(), [])
  assert.equal(await read('c'), fileBytes)
  await until(() => removed.length > 0)
  // What is just being fetched may take more for a moment, for which the next one goes, too.
  assert.equal(removedNames()[0], 'b')
  assert.equal(removed[0]?.reason, 'limit')
  assert.ok((removed[0]?.bytes ?? 0) > fileBytes)
  assert.ok((await readdir(directory)).length <= 2)
  assert.ok((await mirrors.disk.bytes()) < 2.5 * fileBytes)
  assert.match(mirrors.disk.warning() ?? '', /within an hour of their last use.*WADI_GIT_DISK_LIMIT/)
  assert.equal(await read('b'), fileBytes)
  await mirrors.disk.keepLimit()
  assert.deepEqual(removedNames(), ['b', 'a'])
})

test('a mirror that is used stays, whatever the limit, and a warning says so', async () => {
  await using opened = await openPool(fileBytes / 2)
  const { mirrors, read, removedNames, urlOf } = opened
  {
    using lease = await mirrors.lease(urlOf('a'), '')
    for (const name of ['a', 'b']) await read(name)
    await mirrors.disk.keepLimit()
    assert.deepEqual(removedNames(), ['b'])
    assert.equal(await lease.mirror.objects.size('main:file'), fileBytes)
    assert.match(mirrors.disk.warning() ?? '', /in use take 2 MiB, more than WADI_GIT_DISK_LIMIT \(1 MiB\)/)
  }
  await mirrors.disk.keepLimit()
  assert.deepEqual(removedNames(), ['b', 'a'])
})

test('who opens a mirror that is just being removed gets a new one', async () => {
  await using opened = await openPool(fileBytes / 2)
  const { mirrors, read, removedNames } = opened
  for (const round of [1, 2, 3]) {
    await read('a')
    const [, ...sizes] = await Promise.all([mirrors.disk.keepLimit(), ...[1, 2, 3].map(() => read('a'))])
    assert.deepEqual(sizes, [fileBytes, fileBytes, fileBytes], String(round))
  }
  await mirrors.disk.keepLimit()
  assert.ok(removedNames().every((name) => name === 'a'))
})

test('a later process knows which mirrors were used, and removes what a killed one left', async () => {
  await using opened = await openPool(Infinity)
  const { mirrors, read, directory, repositories, pool, removedNames } = opened
  for (const name of ['c', 'b', 'a']) {
    await read(name)
    await until(async () => (await mirrors.disk.bytes()) > 0)
  }
  await mirrors[Symbol.asyncDispose]()
  const [half = ''] = await readdir(directory)
  await mkdir(join(directory, `${half}.new`))
  await rename(join(directory, half), join(directory, `${half}.former`))
  const network = { addressesOf: async () => [] }
  await using next = new MirrorPool({ ...pool, maxBytes: 1.5 * fileBytes, directory, network, repositories })
  await next.disk.keepLimit()
  assert.equal(removedNames()[0], '')
  assert.equal(removedNames().length, 2)
  assert.deepEqual((await readdir(directory)).length, 1)
  assert.equal(await read('a', next), fileBytes)
})

test(
  'a full disk loses the mirror that was not used for longest, and what failed works afterwards',
  { skip: noSmallDisk },
  async () => {
    await using opened = await openPool(Infinity)
    const { directory, read, removed, removedNames } = opened
    await using disk = new AsyncDisposableStack()
    await mountSmallDisk(disk, directory)
    for (const name of ['a', 'b', 'a']) await read(name)
    await assert.rejects(read('c'), DiskFullError)
    await until(() => removed.length > 0)
    assert.deepEqual(removedNames(), ['b'])
    assert.equal(removed[0]?.reason, 'full')
    assert.equal(await read('c'), fileBytes)
    await opened.mirrors[Symbol.asyncDispose]()
  },
)
