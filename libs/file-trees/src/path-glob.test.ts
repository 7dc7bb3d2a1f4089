import assert from 'node:assert/strict'
import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { openDirectoryTree } from './directory-tree.ts'
import { expandGlob } from './path-glob.ts'

interface RecordedTree {
  readonly files: readonly string[]
  readonly links: Readonly<Record<string, string>>
  readonly answers: ReadonlyArray<readonly [pattern: string, files: readonly string[]]>
}

/** Writes files, and links by their places with what they lead to. */
function write(root: string, files: readonly string[], links: Readonly<Record<string, string>> = {}): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  for (const [link, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, link)), { recursive: true })
    symlinkSync(target, join(root, link))
  }
}

test('patterns find the files that doublestar found, in its order', async () => {
  const url = new URL('../testdata/double-star-trees.json', import.meta.url)
  const recorded: { trees: RecordedTree[] } = JSON.parse(await readFile(url, 'utf8'))
  for (const [index, { files, links, answers }] of recorded.trees.entries()) {
    using directory = mkdtempDisposableSync(join(tmpdir(), 'wadi-glob-'))
    write(directory.path, files, links)
    for (const [pattern, expected] of answers) {
      const found = await expandGlob(openDirectoryTree(directory.path), pattern)
      assert.deepEqual([index, pattern, found], [index, pattern, expected])
    }
  }
})

async function filesOf(
  pattern: string,
  files: readonly string[],
  links: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'wadi-glob-'))
  write(directory.path, files, links)
  return await expandGlob(openDirectoryTree(directory.path), pattern)
}

test('a link that leads nowhere or out of the repository is a file to a pattern', async () => {
  const links = { 'a/gone': 'none', 'a/out': '/etc', 'a/up': '../../..' }
  assert.deepEqual(await filesOf('a/**', ['a/b/c'], links), ['a/b/c', 'a/gone', 'a/out', 'a/up'])
  assert.deepEqual(await filesOf('a/out/*', ['a/b/c'], links), [])
})

test('links in a circle are refused where they are followed without end, and nowhere else', async () => {
  for (const links of [{ 'a/self': '.' }, { 'a/root': '..' }, { 'a/x': '../b', 'b/y': '../a' }] as const) {
    await assert.rejects(
      filesOf('a/**/*.yaml', ['a/c.yaml', 'b/d.yaml'], links),
      (error) =>
        error instanceof InvalidInputError && /does not end: symlink .* which holds it/.test(error.message),
    )
  }
  assert.deepEqual(await filesOf('a/*/*.yaml', ['a/c.yaml'], { 'a/self': '.' }), ['a/self/c.yaml'])
})

test('directories that links multiply are looked at up to a limit', async () => {
  const links: Record<string, string> = {}
  for (let level = 0; level < 18; level += 1) {
    links[`d${level}/l`] = links[`d${level}/r`] = `../d${level + 1}`
  }
  await assert.rejects(filesOf('d0/**/x', ['d18/x'], links), ResourceExhaustedError)
})
