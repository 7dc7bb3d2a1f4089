import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { gitSet, startReconcileFixture } from './reconcile-fixture.ts'
import { reconcileSet } from './reconcile-set.ts'

const repository = 'https://git.example.com/team/apps'
const place = { namespace: 'argocd', name: 'set' }

test('a pass does not undo what a user did with newer answers than it has', async () => {
  await using fixture = await startReconcileFixture()
  const anna = fixture.as('anna')
  await anna.apply(gitSet())
  await fixture.pass()
  fixture.commit('c1', 'a', 'b', 'c')
  await anna.refresh()
  assert.equal((await fixture.pass())?.changed, 0)
  fixture.commit('c2', 'b', 'c', 'd')
  await anna.apply(gitSet())
  assert.equal((await fixture.pass())?.changed, 0)
  assert.deepEqual(await fixture.names(), ['b', 'c', 'd'])
})

test('a pass does not act on commits that a user was only shown', async () => {
  await using fixture = await startReconcileFixture()
  const { repoServer } = fixture.context
  const anna = fixture.as('anna')
  await anna.apply(gitSet())
  fixture.commit('c1', 'a')
  const { changes } = await anna.refresh({ dryRun: true })
  assert.deepEqual(
    changes.map(({ action, name }) => `${action} ${name}`),
    ['unchanged a', 'delete b'],
  )
  await anna.generate(gitSet())
  await anna.apply(gitSet(), { dryRun: true })
  const commits: string[] = []
  const listPaths: typeof repoServer.listPaths = async (request, options) => {
    commits.push(request.sha)
    return repoServer.listPaths(request, options)
  }
  const context = { ...fixture.context, repoServer: { ...repoServer, listPaths } }
  await reconcileSet(context, place, new AbortController().signal)
  assert.deepEqual(commits, ['c0ffee'])
})

test('a pass whose answers are older than those of a user leaves the set to the next pass', async () => {
  await using fixture = await startReconcileFixture()
  const { repoServer, inputCache } = fixture.context
  const anna = fixture.as('anna')
  await anna.apply(gitSet())
  fixture.commit('c1', 'a', 'b', 'c')
  inputCache.repositoryChanged(repository)
  const listPaths: typeof repoServer.listPaths = async (request, options) => {
    const listed = await repoServer.listPaths(request, options)
    // The pass has what it makes; before it does, a user is faster with the next commit.
    fixture.commit('c2', 'a', 'b', 'd')
    await anna.refresh()
    return listed
  }
  const context = { ...fixture.context, repoServer: { ...repoServer, listPaths } }
  const pass = await reconcileSet(context, place, new AbortController().signal)
  assert.ok(pass?.error instanceof ConflictError)
  assert.deepEqual(await fixture.names(), ['a', 'b', 'd'])
  assert.equal((await fixture.pass())?.changed, 0)
})

test('a set that a user changes meanwhile is left to the next pass', async () => {
  await using fixture = await startReconcileFixture()
  const { store, repoServer } = fixture.context
  await fixture.as('anna').apply(gitSet())
  fixture.commit('c1', 'a', 'b', 'c')
  fixture.context.inputCache.repositoryChanged(repository)
  const changed: Resource[] = []
  const listPaths: typeof repoServer.listPaths = async (request, options) => {
    const listed = await repoServer.listPaths(request, options)
    const labelled = (set: Resource) => ({ ...set, metadata: { ...set.metadata, labels: { team: 'x' } } })
    if (changed.length === 0) changed.push(await mutate(store, 'ApplicationSet', 'argocd', 'set', labelled))
    return listed
  }
  const context = { ...fixture.context, repoServer: { ...repoServer, listPaths } }
  const error = (await reconcileSet(context, place, new AbortController().signal))?.error
  assert.equal(
    error instanceof ConflictError && error.message,
    'ApplicationSet argocd/set was changed meanwhile',
  )
  assert.deepEqual(changed[0]?.metadata.labels, { team: 'x' })
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.equal(await fixture.condition('ErrorOccurred'), undefined)
  assert.equal((await fixture.pass())?.error, undefined)
  assert.deepEqual(await fixture.names(), ['a', 'b', 'c'])
})
