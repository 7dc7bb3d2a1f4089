import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { removeDirectory } from './remove-directory.ts'

test('directories that are nested deeper than a path can name are removed', async () => {
  await using parent = await mkdtempDisposable(path.join(tmpdir(), 'wadi-remove-'))
  const directory = path.join(parent.path, 'run')
  await mkdir(directory)
  const outside = path.join(parent.path, 'outside')
  await writeFile(outside, 'kept')
  await symlink(outside, path.join(directory, 'link'))
  const name = 'n'.repeat(200)
  const script = `i=0; while [ $i -lt 60 ]; do mkdir ${name} && cd -P ${name} && : > file && i=$((i + 1)) || exit 1; done`
  execFileSync('bash', ['-c', script], { cwd: directory })
  await removeDirectory(directory)
  assert.deepEqual([existsSync(directory), existsSync(outside)], [false, true])
})

test('write-protected directories and names that are not UTF-8 are removed, and what is gone already is not an error', async () => {
  await using parent = await mkdtempDisposable(path.join(tmpdir(), 'wadi-remove-'))
  const directory = path.join(parent.path, 'run')
  const locked = path.join(directory, 'a/b')
  await mkdir(locked, { recursive: true })
  await writeFile(path.join(locked, 'file'), '')
  await writeFile(Buffer.concat([Buffer.from(`${locked}/`), Buffer.of(0xff)]), '')
  await chmod(locked, 0o500)
  await removeDirectory(directory)
  await removeDirectory(directory)
  assert.equal(existsSync(directory), false)
})
