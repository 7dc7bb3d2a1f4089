import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { startMirrorFixture } from '@wadi/git/mirror/mirror-fixture.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import { findLimits, findPaths, type PathQuery } from './find-paths.ts'

const { signal } = new AbortController()

function query(...includes: string[]): PathQuery {
  return { kind: 'files', includes, excludes: [], hidden: false }
}

/** The tree of a real commit, and the directories that are listed. */
async function openTree(files: Record<string, string>) {
  const fixture = await startMirrorFixture(files)
  const sha = await fixture.repository.head()
  const commit = await openCommitTree(fixture.mirror.objects, new TreeCache(), sha)
  const listed: string[] = []
  const tree: FileTree = {
    entry: (path) => commit.entry(path),
    list: async (path) => {
      listed.push(path)
      return commit.list(path)
    },
    read: (path, maxBytes) => commit.read(path, maxBytes),
  }
  return { tree, listed, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('only directories below which an include can match are read', async () => {
  await using opened = await openTree({ 'a/x/1.yaml': '', 'a/y/z/2.yaml': '', 'b/x/3.yaml': '' })
  assert.deepEqual(await findPaths(opened.tree, query('a/*/*.yaml'), signal), ['a/x/1.yaml'])
  assert.deepEqual(opened.listed.toSorted(), ['', 'a', 'a/x', 'a/y'])
})

test('a look that finds, sees or compares too much is refused', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`d/file-${index}`, '']))
  await using opened = await openTree(files)
  const find = (text: string, limits: Partial<typeof findLimits>) =>
    findPaths(opened.tree, query(text), signal, { ...findLimits, ...limits })
  assert.equal((await find('d/*', { paths: 30, entries: 31 })).length, 30)
  await assert.rejects(find('d/*', { paths: 29 }), /more than 29 files match/)
  await assert.rejects(find('d/*', { entries: 30 }), /more than 30 files would be searched/)
  await assert.rejects(find('**/*f*i*l*e*-*x', { steps: 1_000 }), ResourceExhaustedError)
})
