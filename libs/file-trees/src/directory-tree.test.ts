import assert from 'node:assert/strict'
import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { openDirectoryTree } from './directory-tree.ts'
import { DirectoryFixture } from './directory-fixture.ts'

test('a directory lists its entries in byte order and leaves .git out', async () => {
  await using fixture = new DirectoryFixture({
    'b/x': '1',
    'a.yaml': '2',
    'B/y': '3',
    '.git/HEAD': 'ref',
  })
  fixture.link('c', 'b')
  const tree = openDirectoryTree(fixture.directory)
  const entries = await tree.list('')
  assert.deepEqual(
    entries.map(({ name, kind }) => [name, kind]),
    [
      ['B', 'directory'],
      ['a.yaml', 'file'],
      ['b', 'directory'],
      ['c', 'symlink'],
    ],
  )
  assert.equal(await tree.entry('.git/HEAD'), undefined)
})

test('equal content has equal ids and a change below a directory changes its id', async () => {
  await using fixture = new DirectoryFixture({ 'a/x': 'same', 'b/x': 'same', 'c/x': 'other' })
  const ids = async () => {
    const tree = openDirectoryTree(fixture.directory)
    return await Promise.all(['a', 'b', 'c', 'a/x', 'b/x'].map(async (path) => (await tree.entry(path))?.id))
  }
  const [a, b, c, ax, bx] = await ids()
  assert.deepEqual([a, ax], [b, bx])
  assert.notEqual(a, c)
  fixture.write('a/x', 'changed')
  assert.notEqual((await ids())[0], a)
})

test('links are reported, read as their target and never followed', async () => {
  await using fixture = new DirectoryFixture({ 'b/x': '1' })
  fixture.link('c', 'b')
  const tree = openDirectoryTree(fixture.directory)
  assert.equal(await tree.entry('c/x'), undefined)
  assert.equal((await tree.read('c', 100)).toString(), 'b')
  await assert.rejects(tree.list('c'), NotFoundError)
})

test('a file above the limit and a missing one are refused', async () => {
  await using fixture = new DirectoryFixture({ big: 'x'.repeat(100) })
  const tree = openDirectoryTree(fixture.directory)
  await assert.rejects(tree.read('big', 99), ResourceExhaustedError)
  await assert.rejects(tree.read('none', 99), NotFoundError)
  assert.equal((await tree.read('big', 100)).length, 100)
})

test('a link that takes the place of a file or of a directory on the way since it was read is not followed', async () => {
  await using fixture = new DirectoryFixture({ 'a/b/x': '1', y: '1', 'elsewhere/x': 'secret' })
  const tree = openDirectoryTree(fixture.directory)
  for (const path of ['a/b/x', 'y']) assert.equal((await tree.entry(path))?.kind, 'file')
  renameSync(join(fixture.directory, 'a/b'), join(fixture.directory, 'a/c'))
  symlinkSync('../elsewhere', join(fixture.directory, 'a/b'))
  renameSync(join(fixture.directory, 'y'), join(fixture.directory, 'z'))
  symlinkSync('elsewhere/x', join(fixture.directory, 'y'))
  await assert.rejects(tree.read('a/b/x', 100), /"a\/b\/x" was replaced while it was read/)
  await assert.rejects(tree.read('y', 100), { code: 'ELOOP' })
})
