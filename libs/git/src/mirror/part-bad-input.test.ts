import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { assertWhole, openTestMirror } from './mirror-fixture.ts'
import { main, startPartBed, treeOf } from './part-mirror-fixture.ts'

const mebibyte = 1024 * 1024

test('a huge file among small ones is an error that says its size, and the small ones are read', async () => {
  await using bed = await startPartBed()
  await bed.source.commitFiles({ 'app/huge.bin': Buffer.alloc(64 * mebibyte) }, 'Huge\n')
  await bed.push()
  await bed.mirror.fetch([main])
  const tree = await treeOf(bed.mirror, await bed.source.head())
  assert.equal((await tree.read('app/a.yaml', 100)).toString(), 'a: 3\n')
  await assert.rejects(tree.read('app/huge.bin', mebibyte), {
    name: 'ResourceExhaustedError',
    message: /67108864 bytes; at most 1048576/,
  })
  await assertWhole(bed.mirror)
})

test('of a directory of 200,000 files a few come with one that is read, and all of them in parts when they are', async () => {
  await using bed = await startPartBed()
  const git = (args: string[], input: string): string =>
    execFileSync('git', args, { cwd: bed.source.directory, input, encoding: 'utf8' }).trim()
  const contents = Array.from({ length: 6_000 }, (_, n) => String(n))
  const blobs = contents.map((text) => `blob\ndata ${text.length}\n${text}\n`)
  git(['fast-import', '--quiet'], blobs.join(''))
  const ids = contents.map((text) => createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex'))
  const files = Array.from({ length: 200_000 }, (_, n) => `100644 blob ${ids[n % ids.length]}\tf${n}\n`)
  const many = git(['mktree'], files.join(''))
  const root = git(['mktree'], `040000 tree ${many}\tmany\n`)
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  const commit = git([...identity, 'commit-tree', '-m', 'Many', root], '')
  await bed.source.git.raw(['update-ref', 'refs/heads/main', commit])
  await bed.push()
  await bed.mirror.fetch([main])
  const tree = await treeOf(bed.mirror, commit)
  bed.server.requests.length = 0
  assert.equal((await tree.read('many/f5999', 100)).toString(), '5999')
  assert.equal(await tree.size('many'), 200_000)
  assert.equal(bed.server.requests.length, 1)
  await tree.ready(['many'])
  assert.equal(bed.server.requests.length, 3)
  assert.equal((await tree.read('many/f199999', 100)).toString(), '1999')
})

test(
  'files that do not fit on the disk are an error that says so, and others are read',
  { skip: noSmallDisk },
  async () => {
    await using bed = await startPartBed()
    await using owned = new AsyncDisposableStack()
    const scratch = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-part-disk-'))).path
    const disk = path.join(scratch, 'disk')
    await mountSmallDisk(owned, disk)
    await bed.source.commitFiles({ 'large/a.bin': randomBytes(6 * mebibyte) }, 'Large\n')
    await bed.push()
    const mirror = owned.use(
      await openTestMirror(path.join(disk, 'mirror'), bed.url, undefined, 'built-in', 'needed'),
    )
    await mirror.fetch([main])
    const tree = await treeOf(mirror, await bed.source.head())
    await assert.rejects(tree.read('large/a.bin', 10 * mebibyte), {
      name: 'UnavailableError',
      message: /^file "large\/a\.bin" of commit .*no space left on disk/,
    })
    const left = await readdir(mirror.directory, { recursive: true })
    assert.deepEqual(
      left.filter((name) => path.basename(name).startsWith('tmp_')),
      [],
    )
    assert.equal((await tree.read('app/a.yaml', 100)).toString(), 'a: 3\n')
    assert.equal(mirror.isPart, true)
  },
)
