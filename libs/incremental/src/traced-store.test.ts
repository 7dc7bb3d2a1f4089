import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DirectoryFixture } from '@wadi/file-trees/directory-fixture.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import { changedPaths } from './changed-paths.ts'
import { Reuse } from './reuse.ts'
import { TracedStore } from './traced-store.ts'

/** A directory, and a value that was computed from a file, another's absence and `identity`. */
async function start() {
  const fixture = new DirectoryFixture({ 'app/a.yaml': 'a: 1', 'README.md': 'text' })
  const tree = new TracingTree(openDirectoryTree(fixture.directory))
  await tree.read('app/a.yaml', 100)
  await tree.entry('app/later.yaml')
  const store = new TracedStore<string>(new Reuse().byKey(10))
  store.put('app', { value: 'computed', reads: tree.reads(), identity: 'v1' })
  return {
    fixture,
    find: (key = 'app', identity = 'v1') =>
      store.find(key, openDirectoryTree(fixture.directory), () => identity),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

test('a value is found in each tree that has the entries it was computed from', async () => {
  await using bed = await start()
  assert.equal(await bed.find(), 'computed')
  bed.fixture.write('README.md', 'other')
  assert.equal(await bed.find(), 'computed')
  assert.deepEqual([await bed.find('another'), await bed.find('app', 'v2')], [undefined, undefined])
})

for (const [change, path, back] of [
  ['changed', 'app/a.yaml', 'a: 1'],
  ['added', 'app/later.yaml', undefined],
] as const) {
  test(`a value is not found where an entry that it read was ${change}, and is again once that is undone`, async () => {
    await using bed = await start()
    bed.fixture.write(path, 'b: 2')
    assert.equal(await bed.find(), undefined)
    if (back === undefined) rmSync(join(bed.fixture.directory, path))
    else bed.fixture.write(path, back)
    assert.equal(await bed.find(), 'computed')
  })
}

test('the changed paths of two trees are the entries that differ and the directories above', async () => {
  await using one = new DirectoryFixture({ 'app/a.yaml': 'a: 1', 'app/b.yaml': 'b: 1', 'other/c.yaml': 'c' })
  await using other = new DirectoryFixture({ 'app/a.yaml': 'a: 2', 'app/b.yaml': 'b: 1', 'new/d.yaml': 'd' })
  const trees = [one, other].map(({ directory }) => openDirectoryTree(directory))
  const [before, after] = trees
  assert.ok(before && after)
  assert.deepEqual([...((await changedPaths(before, after)) ?? [])].toSorted(), [
    '',
    'app',
    'app/a.yaml',
    'new',
    'new/d.yaml',
    'other',
    'other/c.yaml',
  ])
})
