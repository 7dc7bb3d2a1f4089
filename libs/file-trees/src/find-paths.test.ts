import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import { memoryTree } from './memory-tree.ts'
import { findLimits, findPaths, type PathQuery } from './find-paths.ts'

const { signal } = new AbortController()

function query(...includes: string[]): PathQuery {
  return { kind: 'files', includes, excludes: [], hidden: false }
}

/** A tree, and the directories of it that are listed. */
function openTree(files: readonly string[]) {
  const held = memoryTree(new Map(files.map((path) => [path, Buffer.alloc(0)])))
  const listed: string[] = []
  const tree: FileTree = {
    entry: (path) => held.entry(path),
    list: async (path) => {
      listed.push(path)
      return held.list(path)
    },
    read: (path, maxBytes) => held.read(path, maxBytes),
  }
  return { tree, listed }
}

test('only directories below which an include can match are read', async () => {
  const opened = openTree(['a/x/1.yaml', 'a/y/z/2.yaml', 'b/x/3.yaml'])
  assert.deepEqual(await findPaths(opened.tree, query('a/*/*.yaml'), signal), ['a/x/1.yaml'])
  assert.deepEqual(opened.listed.toSorted(), ['', 'a', 'a/x', 'a/y'])
})

test('a search that finds, reads or compares too much is rejected', async () => {
  const opened = openTree(Array.from({ length: 30 }, (_, index) => `d/file-${index}`))
  const find = (text: string, limits: Partial<typeof findLimits>) =>
    findPaths(opened.tree, query(text), signal, { ...findLimits, ...limits })
  assert.equal((await find('d/*', { paths: 30, entries: 31 })).length, 30)
  await assert.rejects(find('d/*', { paths: 29 }), /more than 29 files match/)
  await assert.rejects(find('d/*', { entries: 30 }), /more than 30 files would be searched/)
  await assert.rejects(find('**/*f*i*l*e*-*x', { steps: 1_000 }), ResourceExhaustedError)
})
