import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { listSet, policy, startUsersFixture } from './users-fixture.ts'

test('a set goes with its Applications, whatever its policy says of them', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  const spec = {
    syncPolicy: { applicationsSync: 'create-only', preserveResourcesOnDeletion: true },
  }
  await anna.apply(listSet(['a', 'b'], { spec }))
  await anna.apply(listSet(['c'], { name: 'other' }))
  assert.deepEqual((await anna.delete()).applications, ['a', 'b'])
  assert.deepEqual(await fixture.names(), ['c'])
  assert.equal(await fixture.generation.store.get('ApplicationSet', 'argocd', 'set'), undefined)
})

test('orphans are left owned by nobody', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a']))
  assert.deepEqual((await anna.delete({ orphan: true })).applications, ['a'])
  const left = await fixture.generation.store.get('Application', 'argocd', 'a')
  assert.equal(left?.metadata.ownerReferences, undefined)
  assert.equal(left?.spec?.['project'], 'dev')
})

test('all Applications must be deletable', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applications, get, dev/*, allow
p, tom, applications, delete, dev/a, allow
p, tim, applications, get, dev/*, allow`,
  )
  await fixture.as('anna').apply(listSet(['a', 'b']))
  await assert.rejects(
    fixture.as('tom').delete(),
    new PermissionDeniedError('permission denied: applications, delete, dev/b, sub: tom'),
  )
  await fixture.as('anna').apply(listSet([], { name: 'empty' }))
  await assert.rejects(
    fixture.as('tim').delete({ name: 'empty' }),
    new PermissionDeniedError('permission denied: applications, delete, dev/empty, sub: tim'),
  )
  assert.deepEqual(await fixture.names(), ['a', 'b'])
})
