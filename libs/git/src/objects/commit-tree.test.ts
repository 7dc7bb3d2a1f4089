import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { openCommitTree, TreeCache } from './commit-tree.ts'
import { startMirrorFixture } from '../mirror/mirror-fixture.ts'

const files = { 'apps/a/values.yaml': 'a: 1\n', 'apps/b/values.yaml': 'b: 2\n', 'other/deep/x/y.txt': 'y' }

test('entries have the name, mode and kind that git recorded', async () => {
  await using fixture = await startMirrorFixture(files)
  const { git, directory } = fixture.repository
  await symlink('a/values.yaml', path.join(directory, 'apps', 'link'))
  await git.raw(['add', '.'])
  await git.raw(['update-index', '--chmod=+x', 'apps/a/values.yaml'])
  await git.raw(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`])
  await git.raw(['commit', '-q', '-m', 'kinds'])
  await fixture.update()
  const tree = await openCommitTree(fixture.mirror.objects, new TreeCache(), await fixture.repository.head())
  const kind = async (name: string): Promise<string | undefined> => {
    const entry = await tree.entry(name)
    return entry && `${entry.name} ${entry.mode} ${entry.kind}`
  }
  assert.equal(await kind('apps'), 'apps 040000 directory')
  assert.equal(await kind('apps/a/values.yaml'), 'values.yaml 100755 executable')
  assert.equal(await kind('./apps//b/values.yaml'), 'values.yaml 100644 file')
  assert.equal(await kind('apps/link'), 'link 120000 symlink')
  assert.equal(await kind('module'), 'module 160000 submodule')
  assert.equal(await kind('apps/link/values.yaml'), undefined)
  assert.equal(await kind('apps/../apps'), undefined)
  assert.equal(await kind('nothing'), undefined)
  assert.equal((await tree.entry(''))?.kind, 'directory')
  assert.equal((await tree.read('apps/link', 100)).toString(), 'a/values.yaml')
  await assert.rejects(tree.read('module', 100), InvalidInputError)
})

test('only the trees on the way are read, and then no more of them', async () => {
  await using fixture = await startMirrorFixture(files)
  const tree = await openCommitTree(fixture.mirror.objects, new TreeCache(), await fixture.repository.head())
  assert.equal(tree.entryCached('apps/a/values.yaml'), null)
  const entry = await tree.entry('apps/a/values.yaml')
  assert.equal(entry?.name, 'values.yaml')
  assert.deepEqual(tree.entryCached('apps/a/values.yaml'), entry)
  assert.equal(tree.entryCached('apps/c'), undefined)
  assert.equal(tree.entryCached('apps/b/values.yaml'), null)
  assert.equal(tree.entryCached('other/deep'), null)
})

test('a directory is listed and a file is read within its limit, from the cache too', async () => {
  await using fixture = await startMirrorFixture(files)
  const tree = await openCommitTree(fixture.mirror.objects, new TreeCache(), await fixture.repository.head())
  assert.deepEqual(
    (await tree.list('apps')).map(({ name }) => name),
    ['a', 'b'],
  )
  const [first] = await tree.list('apps/a')
  assert.ok(first)
  assert.equal((await tree.read(first, 100)).toString(), 'a: 1\n')
  assert.equal((await tree.read('apps/a/values.yaml', 5)).toString(), 'a: 1\n')
  await assert.rejects(tree.read('apps/a/values.yaml', 4), ResourceExhaustedError)
  await assert.rejects(tree.read('apps/b/values.yaml', 4), ResourceExhaustedError)
  await assert.rejects(tree.read('apps', 100), InvalidInputError)
  await assert.rejects(tree.read('apps/zzz', 100), NotFoundError)
  await assert.rejects(tree.list('apps/a/values.yaml'), NotFoundError)
})

test('a cache that holds almost nothing gives the same answers', async () => {
  await using fixture = await startMirrorFixture(files)
  const cache = new TreeCache({ maxTreeEntries: 1, maxBlobBytes: 1 })
  const tree = await openCommitTree(fixture.mirror.objects, cache, await fixture.repository.head())
  assert.equal((await tree.read('other/deep/x/y.txt', 10)).toString(), 'y')
  assert.equal(tree.entryCached('other'), null)
})

test('a commit that the mirror does not have is not found', async () => {
  await using fixture = await startMirrorFixture()
  await assert.rejects(openCommitTree(fixture.mirror.objects, new TreeCache(), '1'.repeat(40)), NotFoundError)
  await assert.rejects(openCommitTree(fixture.mirror.objects, new TreeCache(), 'main'), InvalidInputError)
})
