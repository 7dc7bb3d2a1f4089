import assert from 'node:assert/strict'
import { chmod, symlink } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { type CommitTree, openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { startMirrorFixture } from '@wadi/git/mirror/mirror-fixture.ts'
import { commitRequest, directory, drySha, type RequestParts } from './hydrated-repository-fixture.ts'
import { type PlannedChanges, planChanges } from './plan-changes.ts'

const held = {
  'a/manifest.yaml': 'value: 1\n',
  'a/README.md': 'old README\n',
  'a/hydrator.metadata': '{"old":true}\n',
  'hydrator.metadata': '{"root":true}\n',
}

/** The plan on top of a tree of the given files. */
async function planOn(
  files: Record<string, string>,
  parts: Omit<RequestParts, 'dry'>,
): Promise<PlannedChanges> {
  await using fixture = await startMirrorFixture(files)
  return await planChanges(await treeOf(fixture), commitRequest({ dry: 2, ...parts }))
}

async function treeOf({
  mirror,
  repository,
}: Awaited<ReturnType<typeof startMirrorFixture>>): Promise<CommitTree> {
  return openCommitTree(mirror.objects, new TreeCache(), await repository.head())
}

const texts = ({ files }: PlannedChanges): Record<string, string | undefined> =>
  Object.fromEntries(files.map((file) => [file.path, file.content?.toString()]))

test('a directory whose manifest.yaml is equal is left alone, whatever its README and metadata', async () => {
  assert.deepEqual(await planOn(held, { directories: [directory('a', '1')] }), {
    files: [],
    changedPaths: [],
    trailers: [],
  })
})

test('a changed manifest.yaml brings README, metadata and the metadata of the root along', async () => {
  const plan = await planOn(held, { directories: [directory('a', '2'), directory('b', '1')] })
  assert.deepEqual(plan.changedPaths, ['a', 'b'])
  assert.deepEqual(texts(plan), {
    'a/manifest.yaml': 'value: 2\n',
    'a/README.md': 'README of a\n',
    'a/hydrator.metadata': '{"value":"2"}\n',
    'b/manifest.yaml': 'value: 1\n',
    'b/README.md': 'README of b\n',
    'b/hydrator.metadata': '{"value":"1"}\n',
    'hydrator.metadata': `{"drySha":"${drySha(2)}"}\n`,
  })
})

test('without a tree everything is written and nothing needs to be removed', async () => {
  const request = commitRequest({ dry: 2, directories: [directory('a', '1')], removedPaths: ['b'] })
  const plan = await planChanges(undefined, request)
  assert.deepEqual(plan.changedPaths, ['a'])
  assert.equal(plan.files.length, 4)
})

test('an empty README or metadata is not written', async () => {
  const directories = [{ ...directory('a', '2'), readme: undefined, metadata: undefined }]
  const plan = await planOn(held, { directories, header: { metadata: '' } })
  assert.deepEqual(texts(plan), { 'a/manifest.yaml': 'value: 2\n' })
})

test('a hydrated root keeps its own metadata, which is not written twice', async () => {
  const plan = await planOn({ 'README.md': 'x\n' }, { directories: [directory('', '2')] })
  assert.deepEqual(plan.changedPaths, [''])
  assert.deepEqual(texts(plan), {
    'manifest.yaml': 'value: 2\n',
    'README.md': 'README of \n',
    'hydrator.metadata': '{"value":"2"}\n',
  })
})

test("a removed path loses Wadi's files alone, and one without hydrator.metadata none", async () => {
  const files = { ...held, 'a/extra.yaml': 'theirs\n', 'b/manifest.yaml': 'theirs\n' }
  const plan = await planOn(files, { removedPaths: ['a', 'b', 'c'] })
  assert.deepEqual(plan.changedPaths, ['a'])
  assert.deepEqual(texts(plan), {
    'a/manifest.yaml': undefined,
    'a/README.md': undefined,
    'a/hydrator.metadata': undefined,
    'hydrator.metadata': `{"drySha":"${drySha(2)}"}\n`,
  })
})

test('a path that is written is not removed, and the root keeps its metadata', async () => {
  const files = { ...held, 'manifest.yaml': 'x\n' }
  const plan = await planOn(files, { directories: [directory('a', '1')], removedPaths: ['a', ''] })
  assert.deepEqual(plan.changedPaths, [''])
  assert.deepEqual(texts(plan), {
    'manifest.yaml': undefined,
    'hydrator.metadata': `{"drySha":"${drySha(2)}"}\n`,
  })
})

test('a file or link where a directory must be is named and stays', async () => {
  await using fixture = await startMirrorFixture({ apps: 'a file\n' })
  const { repository } = fixture
  await symlink('/etc', path.join(repository.directory, 'link'))
  await repository.git.raw(['add', 'link'])
  await repository.commitFiles({ 'x/manifest.yaml/y': 'a directory\n' }, 'More\n')
  await fixture.update()
  const tree = await treeOf(fixture)
  const refused = [
    ['apps/web', /has a file at apps that Wadi did not write/],
    ['link/web', /has a symlink at link that Wadi did not write/],
    ['x', /has a directory at x\/manifest\.yaml that Wadi did not write/],
  ] as const
  for (const [where, message] of refused) {
    const plan = planChanges(tree, commitRequest({ dry: 2, directories: [directory(where, '1')] }))
    await assert.rejects(plan, { name: 'FailedPreconditionError', message })
  }
})

test('a link in place of manifest.yaml is replaced, an executable one with the same bytes stays', async () => {
  await using fixture = await startMirrorFixture({ 'run/manifest.yaml': 'value: 1\n' })
  const { repository } = fixture
  await chmod(path.join(repository.directory, 'run/manifest.yaml'), 0o755)
  await repository.commitFiles({ 'link/x': 'x\n', 'run/manifest.yaml': 'value: 1\n' }, 'More\n')
  await symlink('value: 1\n', path.join(repository.directory, 'link/manifest.yaml'))
  await repository.git.raw(['add', '--all'])
  await repository.git.raw(['commit', '--quiet', '--amend', '--no-edit'])
  await fixture.update()
  const directories = [directory('link', '1'), directory('run', '1')]
  const plan = await planChanges(await treeOf(fixture), commitRequest({ dry: 2, directories }))
  assert.deepEqual(plan.changedPaths, ['link'])
})
