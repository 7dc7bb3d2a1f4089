import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { listSet, policy, startUsersFixture } from './users-fixture.ts'
import { currentAuthor } from '../access/author.ts'

const actions = (changes: readonly { action: string; name: string }[]) =>
  changes.map(({ action, name }) => `${action} ${name}`)

test('a set is stored with its author and its Applications with their owner', async () => {
  await using fixture = await startUsersFixture()
  const { store } = fixture.generation
  const forged = {
    ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' }],
    uid: 'mine',
    labels: { team: 'a' },
  }
  const sent = listSet(['a', 'b'], forged)
  const answer = await fixture.as('anna', ['team']).apply({
    ...sent,
    status: { conditions: [{ type: 'Authorized', message: '{"subject":"olga","generation":1}' }] },
  })
  assert.equal(answer.outcome, 'created')
  assert.deepEqual(actions(answer.changes), ['create a', 'create b'])
  const set = await store.get('ApplicationSet', 'argocd', 'set')
  assert.deepEqual(answer.applicationSet, set)
  const { health, resourcesCount } = set?.status ?? {}
  assert.ok(set)
  const author = { subject: { sub: 'anna', groups: ['team'] }, projects: ['dev'], generation: 1 }
  assert.deepEqual(currentAuthor(set, fixture.generation.context.seal), author)
  assert.deepEqual([health, resourcesCount], [{ status: 'Healthy' }, 2])
  assert.deepEqual(set?.metadata.labels, { team: 'a' })
  assert.equal(set?.metadata.ownerReferences, undefined)
  assert.notEqual(set?.metadata.uid, 'mine')
  const application = await store.get('Application', 'argocd', 'a')
  assert.deepEqual(application?.metadata.ownerReferences, [
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      name: 'set',
      uid: set?.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ])
})

test('an equal set is unchanged and generated again; a different one needs upsert', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a', 'b']))
  await fixture.generation.store.delete('Application', 'argocd', 'b')
  const again = await anna.apply(listSet(['a', 'b']), { upsert: false })
  assert.equal(again.outcome, 'unchanged')
  assert.deepEqual(actions(again.changes), ['unchanged a', 'create b'])
  await assert.rejects(
    anna.apply(listSet(['a', 'c']), { upsert: false }),
    (error) =>
      error instanceof InvalidInputError &&
      error.message === 'existing ApplicationSet spec is different, use upsert flag to force update of set',
  )
  const changed = await anna.apply(listSet(['a', 'c']))
  assert.equal(changed.outcome, 'updated')
  assert.deepEqual(actions(changed.changes), ['unchanged a', 'delete b', 'create c'])
  assert.deepEqual(await fixture.names(), ['a', 'c'])
})

test('a dry run returns what would change and stores nothing', async () => {
  await using fixture = await startUsersFixture()
  const answer = await fixture.as('anna').apply(listSet(['a']), { dryRun: true })
  const { status } = answer.applicationSet as unknown as { status: { resources: { name: string }[] } }
  assert.deepEqual(
    status.resources.map(({ name }) => name),
    ['a'],
  )
  assert.deepEqual([answer.outcome, actions(answer.changes)], ['created', ['create a']])
  assert.equal(answer.changes[0]?.element?.origin, 'spec.generators[0].list.elements[0]')
  assert.equal(answer.changes[0]?.element?.parameters?.['name'], 'a')
  assert.deepEqual(await fixture.names(), [])
  assert.equal(await fixture.generation.store.get('ApplicationSet', 'argocd', 'set'), undefined)
})

test('what is generated no longer is deleted by those alone who may', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applications, get, dev/*, allow
p, tom, applications, update, dev/*, allow`,
  )
  await fixture.as('anna').apply(listSet(['a', 'b']))
  const tom = fixture.as('tom')
  await assert.rejects(
    tom.apply(listSet(['a'])),
    new PermissionDeniedError('permission denied: applications, delete, dev/b, sub: tom'),
  )
  const kept = await tom.apply(
    listSet(['a'], { spec: { syncPolicy: { applicationsSync: 'create-update' } } }),
  )
  assert.deepEqual(actions(kept.changes), ['unchanged a', 'keep b'])
})

test('a set that yields nothing needs the right to what its template names', async () => {
  await using fixture = await startUsersFixture()
  await assert.rejects(fixture.as('paul').apply(listSet([])), PermissionDeniedError)
  await assert.rejects(
    fixture.as('anna').apply(listSet([], { project: '{{project}}' })),
    PermissionDeniedError,
  )
  await fixture.as('anna').apply(listSet([]))
  const set = await fixture.generation.store.get('ApplicationSet', 'argocd', 'set')
  assert.deepEqual(set && currentAuthor(set, fixture.generation.context.seal), {
    subject: { sub: 'anna', groups: [] },
    projects: ['dev'],
    generation: 1,
  })
})
