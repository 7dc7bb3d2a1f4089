import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import { memoryTree } from './memory-tree.ts'
import { readBoundedFiles } from './read-bounded-files.ts'
import { TracingTree } from './tracing-tree.ts'

test('only files are fetched, once all paths have been looked at, also through a tree that traces', async () => {
  const asked: (readonly string[])[] = []
  const files: FileTree = memoryTree(
    new Map([
      ['app/a.yaml', Buffer.from('a')],
      ['b.yaml', Buffer.from('b')],
    ]),
  )
  const tree = new TracingTree({
    entry: async (path) => files.entry(path),
    list: async (path) => files.list(path),
    read: async (path, maxBytes) => files.read(path, maxBytes),
    ready: async (paths) => void asked.push(paths),
  })
  const { signal } = new AbortController()
  await assert.rejects(readBoundedFiles(tree, ['b.yaml', 'app'], signal), InvalidInputError)
  assert.deepEqual(asked, [])
  const read = await readBoundedFiles(tree, ['b.yaml', './app//a.yaml'], signal)
  assert.deepEqual(read.map(String), ['b', 'a'])
  assert.deepEqual(asked, [['b.yaml', 'app/a.yaml']])
})
