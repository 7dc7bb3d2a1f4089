import assert from 'node:assert/strict'
import { rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { CommandFailure } from '../command-line/command-failure.ts'
import { openPackageDirectory } from './package-directory.ts'
import { startPackageRepository } from './zarf-package-fixture.ts'

const content = { 'p/zarf.yaml': 'kind: x\n', 'shared/v.yaml': 'a: 1\n' }

/** Nothing here is ignored. */
const fail = (message: string) => assert.fail(message)

async function textAt(place: string, path: string): Promise<string | undefined> {
  const { files } = await openPackageDirectory(place, fail)
  const found = await files.read(path)
  return found === undefined ? undefined : Buffer.from(found).toString()
}

test('a package reads the files of the repository around it, but not those of .git', async () => {
  await using repository = await startPackageRepository({ ...content, '.git/config': 'secret\n' })
  const place = join(repository.root, 'p')
  const { directory } = await openPackageDirectory(place, fail)
  assert.equal(directory, 'p')
  assert.equal(await textAt(place, 'shared/v.yaml'), 'a: 1\n')
  assert.equal(await textAt(place, '.git/config'), undefined)
  assert.equal(await textAt(place, 'shared'), undefined)
})

test('a package without a repository reads its own directory', async () => {
  await using repository = await startPackageRepository(content)
  await rm(join(repository.root, '.git'), { recursive: true })
  const { files, directory } = await openPackageDirectory(join(repository.root, 'p'), fail)
  assert.equal(directory, '')
  assert.deepEqual(await files.list(''), [{ name: 'zarf.yaml', isDirectory: false }])
  await assert.rejects(
    () => textAt(join(repository.root, 'p'), '../shared/v.yaml'),
    /leads outside the repository/,
  )
  await assert.rejects(async () => files.list('..'), /leads outside the repository/)
})

test('symlinks are followed inside the repository and refused out of it', async () => {
  await using repository = await startPackageRepository(content)
  const place = join(repository.root, 'p')
  await symlink('../shared', join(place, 'linked'))
  await symlink('/etc/hostname', join(place, 'absolute'))
  await symlink('../../outside', join(place, 'out'))
  const { files } = await openPackageDirectory(place, fail)
  assert.equal(await textAt(place, 'p/linked/v.yaml'), 'a: 1\n')
  assert.deepEqual(await files.list('p/linked'), [{ name: 'v.yaml', isDirectory: false }])
  await assert.rejects(() => textAt(place, 'p/absolute'), /leads to the absolute path/)
  await assert.rejects(() => textAt(place, 'p/out'), /leads outside the repository/)
  assert.deepEqual(await files.list('p'), [
    { name: 'absolute', isDirectory: false },
    { name: 'linked', isDirectory: true },
    { name: 'out', isDirectory: false },
    { name: 'zarf.yaml', isDirectory: false },
  ])
})

test('a file of more than 10 MiB is refused before it is read', async () => {
  await using repository = await startPackageRepository(content)
  await truncate(join(repository.root, 'shared/v.yaml'), 10 * 1024 * 1024 + 1)
  await assert.rejects(
    () => textAt(join(repository.root, 'p'), 'shared/v.yaml'),
    /"shared\/v\.yaml" has 10485761 bytes, more than 10485760/,
  )
})

test('a directory that does not exist is one error', async () => {
  await using repository = await startPackageRepository(content)
  await assert.rejects(() => openPackageDirectory(join(repository.root, 'gone'), fail), CommandFailure)
})
