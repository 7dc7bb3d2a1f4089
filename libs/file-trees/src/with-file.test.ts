import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openDirectoryTree } from './directory-tree.ts'
import { withFile } from './with-file.ts'

test('a tree with another file differs in it and in all that holds it', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-override-'))
  for (const name of ['apps/web/a.yaml', 'apps/web/z.yaml', 'apps/other/a.yaml']) {
    await mkdir(path.dirname(path.join(directory.path, name)), { recursive: true })
    await writeFile(path.join(directory.path, name), name)
  }
  const tree = openDirectoryTree(directory.path)
  const added = withFile(tree, 'apps/web/b.yaml', 'text')
  const replaced = withFile(tree, 'apps/web/z.yaml', 'text')
  const names = async (shown: typeof tree, at: string) => (await shown.list(at)).map(({ name }) => name)
  assert.deepEqual(await names(added, 'apps/web'), ['a.yaml', 'b.yaml', 'z.yaml'])
  assert.deepEqual(await names(replaced, 'apps/web'), ['a.yaml', 'z.yaml'])
  assert.deepEqual(await names(added, 'apps'), ['other', 'web'])
  assert.equal((await added.read('apps/web/b.yaml', 100)).toString(), 'text')
  await assert.rejects(added.read('apps/web/b.yaml', 3), { name: 'ResourceExhaustedError' })

  const idOf = async (shown: typeof tree, at: string) => (await shown.entry(at))?.id
  const listed = async (shown: typeof tree, at: string, name: string) =>
    (await shown.list(at)).find((entry) => entry.name === name)?.id
  for (const at of ['', 'apps', 'apps/web', 'apps/web/z.yaml']) {
    assert.notEqual(await idOf(replaced, at), await idOf(tree, at), at)
  }
  assert.notEqual(await idOf(replaced, ''), await idOf(withFile(tree, 'apps/web/z.yaml', 'more'), ''))
  assert.equal(await listed(replaced, 'apps', 'web'), await idOf(replaced, 'apps/web'))
  assert.equal(await listed(replaced, 'apps/web', 'z.yaml'), await idOf(replaced, 'apps/web/z.yaml'))
  for (const at of ['apps/other', 'apps/web/a.yaml', 'apps/none']) {
    assert.equal(await idOf(replaced, at), await idOf(tree, at), at)
  }
})
