import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createRepository } from './git-repository.ts'
import { readRef } from './read-ref.ts'

test('a ref is read from its own file, from the packed ones, and through HEAD', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-read-ref-'))
  const repository = await createRepository(scratch.path)
  const { git } = repository
  const gitDirectory = path.join(repository.directory, '.git')
  assert.equal(await readRef(gitDirectory, 'HEAD'), undefined)

  const first = await repository.commitFiles({ a: '1' }, 'First')
  await git.raw(['branch', 'environments/one'])
  await git.raw(['pack-refs', '--all'])
  const second = await repository.commitFiles({ a: '2' }, 'Second')
  assert.notEqual(first, second)
  assert.equal(await readRef(gitDirectory, 'HEAD'), second)
  assert.equal(await readRef(gitDirectory, 'refs/heads/main'), second)
  assert.equal(await readRef(gitDirectory, 'refs/heads/environments/one'), first)

  await git.raw(['branch', 'environments/two'])
  assert.equal(await readRef(gitDirectory, 'refs/heads/environments'), undefined)
  assert.equal(await readRef(gitDirectory, 'refs/heads/main/below'), undefined)

  await git.raw(['checkout', '--quiet', '--detach', first])
  assert.equal(await readRef(gitDirectory, 'HEAD'), first)
})
