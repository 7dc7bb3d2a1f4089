import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import { type CommitTree, openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { startMirrorFixture } from '@wadi/git/mirror/mirror-fixture.ts'
import {
  commitRequest,
  directoryWithFiles,
  recordContent,
  type RequestParts,
} from './hydrated-repository-fixture.ts'
import { planChanges } from './plan-changes.ts'

/** Directory `a` as an earlier hydration wrote it, with one foreign file. */
const held = {
  'a/manifest.yaml': 'value: 1\n',
  'a/README.md': 'README of a\n',
  'a/hydrator.metadata': '{"value":"1","files":["app.conf","etc/old"]}\n',
  'a/files/app.conf': 'one\n',
  'a/files/etc/old': 'old\n',
  'a/files/theirs': 'theirs\n',
}
const sameFiles = { 'app.conf': 'one\n', 'etc/old': 'old\n' }
const written = ['a/manifest.yaml', 'a/README.md', 'a/hydrator.metadata']

async function treeOf({
  mirror,
  repository,
}: Awaited<ReturnType<typeof startMirrorFixture>>): Promise<CommitTree> {
  return openCommitTree(mirror.objects, new TreeCache(), await repository.head())
}

/** Returns the changes to the files of a tree, except the three that are always written, and the changed directories. */
async function planOn(
  files: Record<string, string>,
  parts: Omit<RequestParts, 'dry'>,
): Promise<{ files: Record<string, string | undefined>; changedPaths: string[] }> {
  await using fixture = await startMirrorFixture(files)
  const header = { metadata: '' }
  const plan = await planChanges(await treeOf(fixture), commitRequest({ dry: 2, header, ...parts }))
  const others = plan.files.filter((file) => !written.includes(file.path))
  const contents = others.map((file) => [file.path, file.content?.toString()])
  return { changedPaths: plan.changedPaths, files: Object.fromEntries(contents) }
}

async function rejection(files: Record<string, string>, parts: Omit<RequestParts, 'dry'>): Promise<string> {
  const error: unknown = await planOn(files, parts).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Error && error.name === 'FailedPreconditionError', String(error))
  return error.message
}

test('a directory whose manifests and files are equal is left alone, whatever else its record says', async () => {
  const wanted = directoryWithFiles('a', '1', sameFiles)
  const metadata = recordContent('{"files":["etc/old","app.conf"],"parameters":[{"line":7}]}')
  const directories = [{ ...wanted, metadata }]
  assert.deepEqual(await planOn(held, { directories }), { files: {}, changedPaths: [] })
})

test('a file that changed, came or went is a change by itself, and a foreign one stays', async () => {
  const plan = async (contents: Record<string, string>) =>
    planOn(held, { directories: [directoryWithFiles('a', '1', contents)] })
  assert.deepEqual(await plan({ ...sameFiles, 'app.conf': 'two\n' }), {
    changedPaths: ['a'],
    files: { 'a/files/app.conf': 'two\n' },
  })
  assert.deepEqual(await plan({ ...sameFiles, 'etc/new': 'new\n' }), {
    changedPaths: ['a'],
    files: { 'a/files/etc/new': 'new\n' },
  })
  assert.deepEqual(await plan({}), {
    changedPaths: ['a'],
    files: { 'a/files/app.conf': undefined, 'a/files/etc/old': undefined },
  })
})

test('a directory of files alone is written too', async () => {
  const directories = [
    {
      ...directoryWithFiles('b', '', { x: '' }),
      manifests: [{ path: 'manifest.yaml', content: new CommitContent('') }],
    },
  ]
  const { files, changedPaths } = await planOn(held, { directories })
  assert.deepEqual(changedPaths, ['b'])
  assert.deepEqual(Object.keys(files), ['b/manifest.yaml', 'b/README.md', 'b/hydrator.metadata', 'b/files/x'])
})

test('a foreign file with the wanted text becomes one of the hydration, so that the record names it', async () => {
  const directories = [directoryWithFiles('a', '1', { ...sameFiles, theirs: 'theirs\n' })]
  assert.deepEqual(await planOn(held, { directories }), { files: {}, changedPaths: ['a'] })
})

test('a forged record makes nothing go that is not a file below files of its directory', async () => {
  const names = ['../README.md', '/a/files/theirs', 'etc', '..', '', 'theirs/', 7, 'b/../theirs', '../../b/x']
  const forged = { ...held, 'a/hydrator.metadata': JSON.stringify({ files: names }), 'b/x': 'x\n' }
  const wanted = { directories: [directoryWithFiles('a', '1', {})] }
  assert.deepEqual((await planOn(forged, wanted)).files, {})
  for (const text of ['', '[]', 'null', '{"files":{"0":"app.conf"}}', '{"files":"app.conf"}']) {
    const { files } = await planOn({ ...held, 'a/hydrator.metadata': text }, wanted)
    assert.deepEqual(files, {}, text)
  }
})

test('what somebody else put in the way of a file is named and stays', async () => {
  const refused = async (contents: Record<string, string>) =>
    rejection(
      { ...held, 'a/files/inner/x': 'x\n' },
      { directories: [directoryWithFiles('a', '1', contents)] },
    )
  assert.match(await refused({ theirs: 'ours\n' }), /has a file at a\/files\/theirs that Wadi did not write/)
  assert.match(await refused({ 'theirs/x': 'ours\n' }), /has a file at a\/files\/theirs that/)
  assert.match(await refused({ inner: 'ours\n' }), /has a directory at a\/files\/inner that/)
  await using fixture = await startMirrorFixture({ 'b/manifest.yaml': 'value: 1\n' })
  const { repository } = fixture
  await symlink('/etc', path.join(repository.directory, 'b/files'))
  await repository.git.raw(['add', 'b/files'])
  await repository.git.raw(['commit', '--quiet', '-m', 'Link'])
  await fixture.update()
  const request = commitRequest({ dry: 2, directories: [directoryWithFiles('b', '1', { passwd: 'x\n' })] })
  await assert.rejects(planChanges(await treeOf(fixture), request), {
    name: 'FailedPreconditionError',
    message: /has a symlink at b\/files that Wadi did not write/,
  })
})

test('a file may take the place of a directory that it empties, and the other way round', async () => {
  const plan = async (contents: Record<string, string>) =>
    (await planOn(held, { directories: [directoryWithFiles('a', '1', contents)] })).files
  assert.deepEqual(await plan({ 'app.conf/x': 'x\n', 'etc/old': 'old\n' }), {
    'a/files/app.conf': undefined,
    'a/files/app.conf/x': 'x\n',
  })
  assert.deepEqual(await plan({ 'app.conf': 'one\n', etc: 'e\n' }), {
    'a/files/etc/old': undefined,
    'a/files/etc': 'e\n',
  })
})

test('files do not go into the directory of another Application, hydrated now or before', async () => {
  const above = directoryWithFiles('a', '1', { 'web/x': 'x\n' })
  const message = /^a\/files\/web is the directory of another Application/
  const other = directoryWithFiles('a/files/web', '1', {})
  assert.match(await rejection(held, { directories: [above, other] }), message)
  const before = { ...held, 'a/files/web/hydrator.metadata': '{}\n' }
  assert.match(await rejection(before, { directories: [above] }), message)
  const freed = await planOn(before, { directories: [above], removedPaths: ['a/files/web'] })
  assert.equal(freed.files['a/files/web/x'], 'x\n')
})

test('what another Application has where a file was stays when the file goes, or its directory', async () => {
  const taken = {
    ...held,
    'a/hydrator.metadata': '{"value":"1","files":["web/manifest.yaml","app.conf"]}\n',
    'a/files/web/manifest.yaml': 'theirs\n',
    'a/files/web/hydrator.metadata': '{}\n',
  }
  const gone = { 'a/files/app.conf': undefined }
  assert.deepEqual((await planOn(taken, { directories: [directoryWithFiles('a', '1', {})] })).files, gone)
  assert.deepEqual((await planOn(taken, { removedPaths: ['a'] })).files, gone)
})

test('a removed directory loses the files that it lists, unless another directory is written there', async () => {
  const { files, changedPaths } = await planOn(held, { removedPaths: ['a'] })
  assert.deepEqual(changedPaths, ['a'])
  assert.deepEqual(files, { 'a/files/app.conf': undefined, 'a/files/etc/old': undefined })
  const forged = {
    ...held,
    'a/hydrator.metadata': '{"files":["manifest.yaml"]}',
    'a/files/manifest.yaml': '',
  }
  const directories = [directoryWithFiles('a/files', '1', {})]
  const both = await planOn(forged, { directories, removedPaths: ['a'] })
  assert.equal(both.files['a/files/manifest.yaml'], 'value: 1\n')
})
