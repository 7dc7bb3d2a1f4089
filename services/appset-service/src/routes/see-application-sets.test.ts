import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { applicationOf, listSet, policy, startUsersFixture } from './users-fixture.ts'

const missing = new NotFoundError('ApplicationSet argocd/set does not exist')

test('a set is there for those who may see all of its Applications', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applications, get, dev/a, allow
p, tim, applications, get, dev/*, allow
p, tim, applicationsets, get, dev/set, deny`,
  )
  await assert.rejects(fixture.as('anna').get(), missing)
  await fixture.as('anna').apply(listSet(['a', 'b']))
  const { applicationSet } = await fixture.as('anna').get()
  assert.equal(applicationSet['kind'], 'ApplicationSet')
  for (const user of ['paul', 'tom', 'tim', '']) {
    await assert.rejects(fixture.as(user).get(), missing)
    await assert.rejects(fixture.as(user).delete(), missing)
    await assert.rejects(fixture.as(user).refresh(), missing)
    assert.deepEqual(await fixture.as(user).list(), [])
  }
  await assert.rejects(
    fixture.as('anna').get({ namespace: 'elsewhere' }),
    new PermissionDeniedError("namespace 'elsewhere' is not permitted"),
  )
  await assert.rejects(fixture.as(undefined).get(), PermissionDeniedError)
})

test('sets are listed by what they make, their labels and their projects', async () => {
  await using fixture = await startUsersFixture()
  const olga = fixture.as('olga')
  await olga.apply(listSet(['a'], { name: 'one', labels: { team: 'x' } }))
  await olga.apply(listSet(['p'], { name: 'two', project: 'prod' }))
  await olga.apply(listSet([], { name: 'empty', project: 'dev' }))
  await olga.apply(listSet([], { name: 'templated', project: '{{project}}' }))
  assert.deepEqual(await olga.list(), ['empty', 'one', 'templated', 'two'])
  assert.deepEqual(await fixture.as('anna').list(), ['empty', 'one'])
  assert.deepEqual(await fixture.as('paul').list(), ['two'])
  assert.deepEqual(await olga.list({ projects: ['prod'] }), ['two'])
  assert.deepEqual(await olga.list({ selector: 'team=x' }), ['one'])
})

test('sets may be in the namespaces of Applications, under names that say where', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, teo, applications, *, dev/team-a/*, allow`,
  )
  const { store } = fixture.generation
  const project = await store.get('AppProject', 'argocd', 'dev')
  assert.ok(project)
  const teo = fixture.as('teo')
  const wanted = listSet(['a'], { namespace: 'team-a' })
  await assert.rejects(teo.apply(wanted), /application namespace team-a is not permitted in project 'dev'/)
  await store.update({ ...project, spec: { ...project.spec, sourceNamespaces: ['team-*'] } })
  await teo.apply(wanted)
  const { applicationSet } = await teo.get({ namespace: 'team-a' })
  assert.equal((applicationSet['metadata'] as { namespace: string }).namespace, 'team-a')
  assert.ok(await store.get('Application', 'team-a', 'a'))
  await fixture.as('olga').apply(listSet(['o'], { name: 'own' }))
  // A right to dev/team-a/* is none to those of other namespaces.
  await assert.rejects(teo.apply(listSet(['x'], { namespace: 'team-b' })), PermissionDeniedError)
  await assert.rejects(teo.apply(listSet(['x'])), PermissionDeniedError)
  assert.deepEqual(await teo.list(), ['set'])
  assert.deepEqual(await teo.list({ namespace: 'team-b' }), [])
  assert.deepEqual(await fixture.as('olga').list(), ['own', 'set'])
  assert.deepEqual(await fixture.as('olga').list({ namespace: 'argocd' }), ['own'])
  const end = new AbortController()
  const { value } = await teo.watch(end.signal).next()
  assert.ok(value)
  assert.equal((value.applicationSet['metadata'] as { namespace: string }).namespace, 'team-a')
  end.abort()
  await teo.refresh({ namespace: 'team-a' })
  await teo.delete({ namespace: 'team-a' })
  assert.deepEqual(await teo.list(), [])
  assert.equal(await store.get('Application', 'team-a', 'a'), undefined)
})

test('a stream delivers what becomes visible, changes and becomes hidden', async () => {
  await using fixture = await startUsersFixture()
  const { store } = fixture.generation
  await fixture.as('paul').apply(listSet(['p'], { name: 'hidden', project: 'prod' }))
  await fixture.as('anna').apply(listSet(['a'], { name: 'seen' }))
  const end = new AbortController()
  const events = fixture.as('anna').watch(end.signal)
  const next = async () => {
    const { value } = await events.next()
    assert.ok(value)
    const { name } = value.applicationSet['metadata'] as { name: string }
    return `${value.type} ${name}`
  }
  assert.equal(await next(), 'ADDED seen')
  await fixture.as('anna').apply(listSet(['a'], { name: 'seen', labels: { team: 'x' } }))
  assert.equal(await next(), 'MODIFIED seen')
  const a = await store.get('Application', 'argocd', 'a')
  assert.ok(a?.metadata.ownerReferences)
  const foreign = applicationOf('other', 'prod')
  const { ownerReferences } = a.metadata
  await store.create({ ...foreign, metadata: { ...foreign.metadata, ownerReferences } })
  const reported: string[] = []
  while (reported.at(-1) !== 'DELETED seen') reported.push(await next())
  assert.ok(reported.every((event) => event.endsWith(' seen')))
  await store.delete('Application', 'argocd', 'other')
  assert.equal(await next(), 'ADDED seen')
  await fixture.as('anna').delete({ name: 'seen' })
  assert.equal(await next(), 'DELETED seen')
  end.abort()
  assert.deepEqual(await events.next(), { value: undefined, done: true })
})
