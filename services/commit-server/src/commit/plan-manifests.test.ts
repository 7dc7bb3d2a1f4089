import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import { openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { startMirrorFixture } from '@wadi/git/mirror/mirror-fixture.ts'
import { commitRequest, directory, recordContent } from './hydrated-repository-fixture.ts'
import type { HydratedDirectory } from './commit-request.ts'
import { planChanges, type PlannedChanges } from './plan-changes.ts'

/** A directory in a layout of several files, with the record that goes with it. */
function divided(contents: Record<string, string>): HydratedDirectory {
  const manifests = Object.entries(contents).map(([path, text]) => ({
    path,
    content: new CommitContent(text),
  }))
  const metadata = JSON.stringify({
    applications: [],
    layout: 'file-per-object',
    manifests: Object.keys(contents),
  })
  return { ...directory('a', '1'), manifests, metadata: recordContent(metadata) }
}

async function planOn(
  files: Record<string, string>,
  directories: HydratedDirectory[],
  removedPaths: string[] = [],
): Promise<PlannedChanges> {
  await using fixture = await startMirrorFixture(files)
  const { mirror, repository } = fixture
  const tree = await openCommitTree(mirror.objects, new TreeCache(), await repository.head())
  return await planChanges(tree, commitRequest({ dry: 2, directories, removedPaths }))
}

/** Returns the changes of a plan to the files of the directory, without README and record. */
function changesOf({ files }: PlannedChanges): Record<string, string | undefined> {
  const others = files.filter(({ path }) => path.endsWith('.yaml'))
  return Object.fromEntries(others.map(({ path, content }) => [path, content?.toString()]))
}

const oneFile = { 'a/manifest.yaml': 'value: 1\n', 'a/hydrator.metadata': '{"applications":[]}\n' }
const twoFiles = {
  'a/x.yaml': 'x: 1\n',
  'a/y.yaml': 'y: 1\n',
  'a/hydrator.metadata': `${divided({ 'x.yaml': '', 'y.yaml': '' }).metadata?.content.toString() ?? ''}\n`,
}

test('another layout is written whole, what the old one wrote goes, and foreign files stay', async () => {
  const foreign = { 'a/theirs.yaml': 'theirs\n' }
  assert.deepEqual(
    changesOf(
      await planOn({ ...oneFile, ...foreign }, [divided({ 'x.yaml': 'x: 1\n', 'y.yaml': 'y: 1\n' })]),
    ),
    { 'a/x.yaml': 'x: 1\n', 'a/y.yaml': 'y: 1\n', 'a/manifest.yaml': undefined },
  )
  const back = { ...directory('a', '1'), metadata: recordContent('{"applications":[]}\n') }
  assert.deepEqual(changesOf(await planOn({ ...twoFiles, ...foreign }, [back])), {
    'a/manifest.yaml': 'value: 1\n',
    'a/x.yaml': undefined,
    'a/y.yaml': undefined,
  })
})

test('of several files those are written that differ, and one whose object is gone is removed', async () => {
  const plan = await planOn(twoFiles, [divided({ 'x.yaml': 'x: 1\n', 'z.yaml': 'z: 1\n' })])
  assert.deepEqual(changesOf(plan), { 'a/z.yaml': 'z: 1\n', 'a/y.yaml': undefined })
  assert.deepEqual(plan.changedPaths, ['a'])
})

test('equal files make no change', async () => {
  const plan = await planOn(twoFiles, [divided({ 'x.yaml': 'x: 1\n', 'y.yaml': 'y: 1\n' })])
  assert.deepEqual(plan, { files: [], changedPaths: [], trailers: [] })
})

test('equal files that stand in another order in the record bring the record along', async () => {
  const plan = await planOn(twoFiles, [divided({ 'y.yaml': 'y: 1\n', 'x.yaml': 'x: 1\n' })])
  assert.deepEqual(
    plan.files.map(({ path }) => path),
    ['a/README.md', 'a/hydrator.metadata', 'hydrator.metadata'],
  )
})

test("somebody else's file in the way is named and stays, one with the same bytes is taken over", async () => {
  const foreign = { ...oneFile, 'a/x.yaml': 'theirs: 1\n' }
  await assert.rejects(planOn(foreign, [divided({ 'x.yaml': 'x: 1\n' })]), {
    name: 'FailedPreconditionError',
    message:
      'the hydrated branch has a file at a/x.yaml that Wadi did not write; remove it or choose another syncSource.path',
  })
  const equal = await planOn(foreign, [divided({ 'x.yaml': 'theirs: 1\n' })])
  assert.deepEqual(changesOf(equal), { 'a/manifest.yaml': undefined })
})

test('a directory that was not hydrated before keeps a manifest.yaml of somebody else', async () => {
  const plan = await planOn({ 'a/manifest.yaml': 'theirs\n' }, [divided({ 'x.yaml': 'x: 1\n' })])
  assert.deepEqual(changesOf(plan), { 'a/x.yaml': 'x: 1\n' })
})

test('pruning removes the files of any layout and no others', async () => {
  const plan = await planOn({ ...twoFiles, 'a/theirs.yaml': 'theirs\n' }, [], ['a'])
  assert.deepEqual(changesOf(plan), { 'a/x.yaml': undefined, 'a/y.yaml': undefined })
})
