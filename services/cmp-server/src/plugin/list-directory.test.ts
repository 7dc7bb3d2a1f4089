import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { matchesRule } from '@wadi/plugins/discovery/matches-rule.ts'
import { directoryLister } from './list-directory.ts'

test('directories are listed below the application, and links only as far as the files go', async () => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-[odd]*-'))
  const directory = await realpath(made.path)
  const root = path.join(directory, 'files')
  await mkdir(path.join(root, 'app/sub'), { recursive: true })
  await mkdir(path.join(root, 'shared'))
  for (const file of ['app/Chart.yaml', 'app/sub/a.yml', 'shared/b.yml'])
    await writeFile(path.join(root, file), '')
  await symlink('../shared', path.join(root, 'app/link'))
  await symlink('../..', path.join(root, 'app/out'))
  const list = directoryLister(root, path.join(root, 'app'))
  const names = async (at: string) => (await list(at))?.map(({ name }) => name).toSorted()
  assert.deepEqual(await names(''), ['Chart.yaml', 'link', 'out', 'sub'])
  assert.deepEqual(await names('link'), ['b.yml'])
  assert.deepEqual(await Promise.all(['none', 'Chart.yaml', 'Chart.yaml/x', 'out', '../..'].map(names)), [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  const matches = (by: 'fileName' | 'glob', pattern: string) => matchesRule({ by, pattern }, list)
  assert.deepEqual(
    await Promise.all([
      matches('fileName', 'link/*.yml'),
      matches('fileName', 'out/files'),
      matches('glob', '**/b.yml'),
      matches('glob', '**/a.yml'),
    ]),
    [true, false, false, true],
  )
})
