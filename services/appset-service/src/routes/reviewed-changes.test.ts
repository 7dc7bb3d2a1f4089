import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { refreshAnnotation } from '@wadi/resources/decided-version.ts'
import { mutate, mutateStatus } from '@wadi/resources/store/resource-store.ts'
import { listSet, startUsersFixture } from './users-fixture.ts'

test('what was reviewed is stored, and statuses that changed meanwhile do not matter', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a', 'b']))
  const { plan } = await anna.apply(listSet(['b', 'c']), { dryRun: true })
  await mutateStatus(fixture.generation.store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    status: { health: { status: 'Healthy' } },
  }))
  const answer = await anna.apply(listSet(['b', 'c']), { reviewedPlan: plan })
  assert.equal(answer.plan, plan)
  assert.deepEqual(await fixture.names(), ['b', 'c'])
})

test('a change that would do more than was reviewed stores nothing and says what', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a', 'b']))
  const { plan } = await anna.apply(listSet(['b', 'c']), { dryRun: true })
  await anna.apply(listSet(['a', 'b', 'd']))
  await assert.rejects(
    anna.apply(listSet(['b', 'c']), { reviewedPlan: plan }),
    new ConflictError(
      'what ApplicationSet set changes is not what was reviewed: now it would create c; delete a, d; nothing is stored, review it again',
    ),
  )
  assert.deepEqual(await fixture.names(), ['a', 'b', 'd'])
})

test('a set that was changed to another text since the review is not overwritten', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a']))
  const { plan } = await anna.apply(listSet(['a', 'c']), { dryRun: true })
  await anna.apply(listSet(['a'], { annotations: { owner: 'team-b' } }))
  await assert.rejects(anna.apply(listSet(['a', 'c']), { reviewedPlan: plan }), ConflictError)
  assert.deepEqual(await fixture.names(), ['a'])
})

test('a refresh is tried without storing anything, and tied to what that showed', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a', 'b']))
  await fixture.generation.store.delete('Application', 'argocd', 'b')
  const { plan, changes } = await anna.refresh({ dryRun: true })
  assert.deepEqual(
    changes.map(({ action, name }) => `${action} ${name}`),
    ['unchanged a', 'create b'],
  )
  assert.deepEqual(await fixture.names(), ['a'])
  await fixture.generation.store.delete('Application', 'argocd', 'a')
  await assert.rejects(anna.refresh({ reviewedPlan: plan }), ConflictError)
  assert.deepEqual(await fixture.names(), [])
})

test('a set is not deleted with Applications that were not shown', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a']))
  const { applications } = await anna.delete({ dryRun: true })
  assert.deepEqual(applications, ['a'])
  await anna.apply(listSet(['a', 'b']))
  await assert.rejects(
    anna.delete({ isReviewed: true, reviewedApplications: applications }),
    new ConflictError(
      'ApplicationSet set has more Applications than were shown: b; nothing is deleted, try again',
    ),
  )
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  await anna.delete({ isReviewed: true, reviewedApplications: ['a', 'b'] })
  assert.deepEqual(await fixture.names(), [])
})

test('a set is changed and deleted in the version that was seen, whatever its status says meanwhile', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  const { store } = fixture.generation
  await anna.apply(listSet(['a']))
  const { version } = await anna.get()
  await anna.apply(listSet(['a'], { annotations: { owner: 'team-b' } }))
  const isAnother = new ConflictError(
    'ApplicationSet argocd/set was changed by somebody else and is not what you saw; look at it again',
  )
  await assert.rejects(anna.apply(listSet(['a', 'b']), { version }), isAnother)
  await assert.rejects(anna.apply(listSet(['a', 'b']), { version, dryRun: true }), isAnother)
  await assert.rejects(anna.delete({ version }), isAnother)
  await assert.rejects(anna.delete({ version, dryRun: true }), isAnother)
  assert.deepEqual(await fixture.names(), ['a'])
  const { version: seen } = await anna.get()
  const polled = { annotations: { owner: 'team-b', [refreshAnnotation]: 'true' } }
  await mutate(store, 'ApplicationSet', 'argocd', 'set', ({ metadata, ...set }) => ({
    ...set,
    metadata: { ...metadata, ...polled },
    status: { conditions: [] },
  }))
  assert.equal((await anna.get()).version, seen)
  await anna.delete({ version: seen })
  assert.deepEqual(await fixture.names(), [])
  await assert.rejects(anna.apply(listSet(['a']), { version: seen }), {
    name: 'ConflictError',
    message: 'ApplicationSet set was deleted by somebody else; nothing is stored',
  })
})

test('a watch says the version of each set', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a']))
  const stream = anna.watch(new AbortController().signal)
  const first = await stream.next()
  await stream.return(undefined)
  assert.equal(first.value?.version, (await anna.get()).version)
})
