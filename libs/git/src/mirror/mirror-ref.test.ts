import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { startMirrorFixture } from './mirror-fixture.ts'
import { mirrorRef, writeMirrorRef } from './mirror-ref.ts'

const ref = mirrorRef('refs/heads/main')

test('a ref that is written is what git reads, moves and packs, and is written again', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const first = await repository.head()
  const second = await repository.commitFiles({ 'a.yaml': 'a: 1\n' }, 'Second\n')
  await fixture.update()
  for (const sha of [first, second]) {
    assert.equal(await writeMirrorRef(mirror.directory, ref, sha), true)
    assert.equal(await mirror.objects.resolve(ref), sha)
  }
  await mirror.raw(['update-ref', '--no-deref', ref, first, second])
  await mirror.raw(['pack-refs', '--all', '--prune'])
  assert.equal(await mirror.objects.resolve(ref), first)
  assert.equal(await writeMirrorRef(mirror.directory, ref, second), true)
  const { stdout } = await mirror.raw(['for-each-ref', '--format=%(objectname)', ref])
  assert.equal(stdout.toString(), `${second}\n`)
})

test('a ref that is locked, or has another form, is left to git, as are refs that are not files', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const { directory } = mirror
  const sha = await repository.head()
  for (const other of [
    'refs/heads/main',
    'refs/wadi/single/main',
    `${ref}/../x`,
    `refs/wadi/other/${ref.slice(-40)}`,
  ]) {
    assert.equal(await writeMirrorRef(directory, other, sha), false, other)
  }
  await writeMirrorRef(directory, ref, sha)
  const lock = path.join(directory, `${ref}.lock`)
  await writeFile(lock, 'of somebody else')
  assert.equal(await writeMirrorRef(directory, ref, '1'.repeat(40)), false)
  assert.equal(await readFile(lock, 'utf8'), 'of somebody else')
  assert.equal(await mirror.objects.resolve(ref), sha)
  const other = mirrorRef('refs/heads/other')
  await mkdir(path.join(directory, 'reftable'))
  assert.equal(await writeMirrorRef(directory, other, sha), false)
})

test('refs are written while git packs them', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const shas = [await repository.head(), await repository.commitFiles({ 'a.yaml': 'a: 1\n' }, 'Second\n')]
  await fixture.update()
  let [last = ''] = shas
  await writeMirrorRef(mirror.directory, ref, last)
  const packed = new AbortController()
  const pack = async () => {
    for (let count = 0; count < 20; count++) await mirror.raw(['pack-refs', '--all', '--prune'])
    packed.abort()
  }
  const write = async () => {
    for (let count = 0; !packed.signal.aborted; count++) {
      const next = shas[count % 2] ?? ''
      if (await writeMirrorRef(mirror.directory, ref, next)) last = next
      assert.equal(await mirror.objects.resolve(ref), last)
    }
  }
  await Promise.all([pack(), write()])
  assert.equal(await mirror.objects.resolve(ref), last)
})
