import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { simpleGit } from 'simple-git'
import { temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { createDemoRepository } from './demo-repository.ts'

test('the sample is one pushed commit, and a change to a region another one', async () => {
  await using directory = await temporaryDirectory()
  await using server = await startGitHttpServer()
  const repository = await createDemoRepository(server, directory.path)
  assert.equal(repository.workTree, join(directory.path, 'platform'))
  assert.equal(repository.applications.length, 10)
  const [first = '', ...older] = await repository.commits('main')
  assert.match(first, /^[0-9a-f]{40}$/)
  assert.deepEqual(older, [])
  assert.ok((await repository.changedFiles(first)).includes('environments/prod/east/values.yaml'))

  const change = await repository.changeOneRegion()
  assert.match(change.what, /^Roll storefront [\d.]+ out to prod east$/)
  assert.deepEqual(await repository.commits('main'), [change.sha, first])
  assert.deepEqual(await repository.changedFiles(change.sha), ['environments/prod/east/values.yaml'])
  const served = await simpleGit().listRemote([repository.url, 'refs/heads/main'])
  assert.equal(served, `${change.sha}\trefs/heads/main\n`)
})
