import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directory, drySha, HydratedRepositoryFixture } from './hydrated-repository-fixture.ts'

const directories = [directory('a', '1')]
const proposed = { dry: 1, branch: 'env/dev-next', syncBranch: 'env/dev', directories }

test('a missing branch that is its own sync branch starts without a parent', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  await fixture.pushForeign('main', { 'dry.yaml': 'dry\n' })
  const { hydratedSha } = await fixture.write({ dry: 1, directories })
  assert.deepEqual(await fixture.subjects(hydratedSha), ['1111111: change the dry side'])
  assert.equal('dry.yaml' in (await fixture.files(hydratedSha)), false)
})

test('a missing branch starts at the head of the sync branch, so that a pull request between them is possible', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const deployed = await fixture.pushForeign('env/dev', { 'b/manifest.yaml': 'value: deployed\n' })
  const { hydratedSha, state } = await fixture.write(proposed)
  const files = await fixture.files(hydratedSha)
  assert.equal(files['b/manifest.yaml'], 'value: deployed\n')
  assert.equal(files['a/manifest.yaml'], 'value: 1\n')
  assert.equal(await fixture.mirror.isAncestor(deployed, hydratedSha), true)
  assert.equal((await fixture.refs())['refs/heads/env/dev'], deployed)
  assert.deepEqual(state, await fixture.state('env/dev-next', 'env/dev'))
})

test('a missing branch whose content the sync branch already has is created there, with a note and no commit', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const deployed = await fixture.pushForeign('env/dev', { 'a/manifest.yaml': 'value: 1\n' })
  const outcome = await fixture.write(proposed)
  assert.equal(outcome.hydratedSha, deployed)
  assert.deepEqual(outcome.changedPaths, [])
  assert.equal((await fixture.refs())['refs/heads/env/dev-next'], deployed)
  assert.equal(await fixture.noteOf(deployed), `{"drySha":"${drySha(1)}"}\n`)
})

test('a missing sync branch is created with an empty first commit', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const { hydratedSha, state } = await fixture.write(proposed)
  const base = (await fixture.refs())['refs/heads/env/dev'] ?? ''
  assert.deepEqual(await fixture.files(base), {})
  assert.deepEqual(await fixture.subjects(hydratedSha), [
    '1111111: change the dry side',
    'Initial commit for env/dev',
  ])
  assert.equal(state.syncHead, base)
  assert.deepEqual(state, await fixture.state('env/dev-next', 'env/dev'))
})

test('a branch that exists is not moved to its sync branch, nor is a deleted sync branch made again', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const first = await fixture.write(proposed)
  await fixture.git('update-ref', '-d', 'refs/heads/env/dev')
  const next = { ...proposed, base: first.state, dry: 2, directories: [directory('a', '2')] }
  const { hydratedSha } = await fixture.write(next)
  assert.equal(await fixture.mirror.isAncestor(first.hydratedSha, hydratedSha), true)
  assert.equal('refs/heads/env/dev' in (await fixture.refs()), false)
})

test('a server without atomic pushes gets both new branches and the note', async () => {
  await using fixture = await HydratedRepositoryFixture.start({
    config: { 'receive.advertiseAtomic': 'false' },
  })
  const { hydratedSha, state } = await fixture.write(proposed)
  assert.deepEqual(Object.keys(await fixture.refs()), [
    'refs/heads/env/dev',
    'refs/heads/env/dev-next',
    'refs/notes/hydrator.metadata',
  ])
  assert.equal(await fixture.noteOf(hydratedSha), `{"drySha":"${drySha(1)}"}\n`)
  assert.deepEqual(state, await fixture.state('env/dev-next', 'env/dev'))
})

test('a branch whose name is a directory of another, or the other way round, is refused by naming both', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  await fixture.pushForeign('env/dev', { 'a.txt': 'a\n' })
  const refused = [
    { branch: 'env', message: /branch env cannot be created beside branch env\/dev/ },
    { branch: 'env/dev/west', message: /branch env\/dev\/west cannot be created beside branch env\/dev:/ },
    { branch: 'next', syncBranch: 'env', message: /branch env cannot be created beside branch env\/dev/ },
  ]
  const before = await fixture.refs()
  for (const { message, ...names } of refused) {
    await assert.rejects(fixture.write({ dry: 1, directories, ...names }), {
      name: 'FailedPreconditionError',
      message,
    })
  }
  assert.deepEqual(await fixture.refs(), before)
})

test("a new branch and a new sync branch that are in each other's way are refused by naming both", async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  await assert.rejects(fixture.write({ dry: 1, directories, branch: 'env/next', syncBranch: 'env' }), {
    name: 'FailedPreconditionError',
    message: /branch env(?:\/next)? cannot be created beside branch env/,
  })
  assert.deepEqual(await fixture.refs(), {})
})

test('a branch takes the place of one whose name was its directory', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  await fixture.pushForeign('env', { 'a.txt': 'a\n' })
  assert.notEqual((await fixture.state('env')).head, undefined)
  await fixture.git('update-ref', '-d', 'refs/heads/env')
  const deployed = await fixture.pushForeign('env/dev', { 'a/manifest.yaml': 'value: 0\n' })
  const state = await fixture.state('env/dev')
  assert.equal(state.head, deployed)
  const { hydratedSha } = await fixture.write({ base: state, dry: 1, directories })
  assert.equal(await fixture.mirror.isAncestor(deployed, hydratedSha), true)
})
