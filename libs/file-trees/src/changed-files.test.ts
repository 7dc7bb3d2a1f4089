import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { FileTree } from './file-tree.ts'
import { openDirectoryTree } from './directory-tree.ts'
import { changedFiles } from './changed-files.ts'

async function treeOf(scratch: string, files: Record<string, string>): Promise<FileTree> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(scratch, path)), { recursive: true })
    await writeFile(join(scratch, path), content)
  }
  return openDirectoryTree(scratch)
}

test('files that came, went or differ are found at any depth, also where a directory takes the place of a file', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-changed-'))
  const same = { 'same.yaml': 'a', 'deep/er/same.yaml': 'a' }
  const before = { ...same, 'b.yaml': '1', 'gone/a.yaml': '1', 'deep/er/c.yaml': '1', place: '1' }
  const after = { ...same, 'b.yaml': '2', 'come/a.yaml': '1', 'deep/er/c.yaml': '2', 'place/a.yaml': '1' }
  const [one, other] = [
    await treeOf(join(scratch.path, 'before'), before),
    await treeOf(join(scratch.path, 'after'), after),
  ]
  assert.deepEqual(await Array.fromAsync(changedFiles(one, other)), [
    'b.yaml',
    'come/a.yaml',
    'deep/er/c.yaml',
    'gone/a.yaml',
    'place/a.yaml',
    'place',
  ])
  assert.deepEqual(await Array.fromAsync(changedFiles(one, one)), [])
})
