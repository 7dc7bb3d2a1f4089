import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { repositorySettings } from './repository-service-settings.ts'
import { openServiceRepositories } from './service-repositories.ts'

test('a service has its repositories in a folder of its own that only it may read, by its own settings', async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'wadi-service-repositories-'))
  t.after(() => rm(dataDirectory, { recursive: true, force: true }))
  const settings = {
    ...readSettings(repositorySettings, { env: { WADI_PLAIN_HTTP: 'never' }, argv: [] }),
    dataDirectory,
    listen: '127.0.0.1:0',
    instance: 'one',
  }
  const { repositories, mirrors, folders, ...opened } = await openServiceRepositories(
    'repo-server',
    settings,
    'read',
  )
  assert.equal(folders.own, join(dataDirectory, 'repo-server/one'))
  assert.equal((await stat(folders.own)).mode & 0o777, 0o700)
  assert.deepEqual(await repositories.list(), [])
  await assert.rejects(mirrors.open('http://localhost/x.git', 'default'), /http/)
  await opened[Symbol.asyncDispose]()
  await assert.rejects(repositories.list(), /not open/)
})
