import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { applicationOf, listSet, policy, setOf, startUsersFixture, templateOf } from './users-fixture.ts'
import { currentAuthor } from '../access/author.ts'

test('an Application of somebody else is never taken over', async () => {
  await using fixture = await startUsersFixture()
  const { store } = fixture.generation
  await store.create(applicationOf('taken', 'dev'))
  await store.create(applicationOf('hidden', 'prod'))
  const anna = fixture.as('anna')
  const notManaged = new FailedPreconditionError('application taken is not managed by this ApplicationSet')
  await assert.rejects(anna.apply(listSet(['a', 'taken'])), notManaged)
  await assert.rejects(anna.apply(listSet(['a', 'hidden'])), /1 of 2 Applications of the set/)
  const patched = setOf({
    generators: [{ list: { elements: [{ name: 'a' }] } }],
    template: templateOf('{{name}}', 'dev'),
    templatePatch: 'metadata: {name: taken}\nspec: {project: dev}',
  })
  await assert.rejects(anna.apply(patched), notManaged)
  await anna.apply(listSet(['a'], { name: 'other' }))
  await assert.rejects(
    anna.apply(listSet(['a'])),
    new FailedPreconditionError('application a is not managed by this ApplicationSet'),
  )
  assert.equal((await store.get('Application', 'argocd', 'taken'))?.metadata.ownerReferences, undefined)
})

test('a set that was deleted and created again owns nothing of the first one', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  await anna.apply(listSet(['a']))
  await fixture.generation.store.delete('ApplicationSet', 'argocd', 'set')
  await assert.rejects(
    anna.apply(listSet(['a'])),
    new FailedPreconditionError('application a is not managed by this ApplicationSet'),
  )
  await anna.apply(listSet(['b']))
  assert.deepEqual((await anna.delete()).applications, ['b'])
  assert.deepEqual(await fixture.names(), ['a'])
})

test('the version that a user saw must be the stored one', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  const { applicationSet } = await anna.apply(listSet(['a']))
  const { resourceVersion } = applicationSet['metadata'] as { resourceVersion: string }
  await anna.apply(listSet(['a', 'b'], { resourceVersion }))
  await assert.rejects(anna.apply(listSet(['a'], { resourceVersion })), ConflictError)
  await assert.rejects(anna.apply(listSet(['c'], { resourceVersion, name: 'new' })), ConflictError)
})

test('two who change a set at once end with the set and the Applications of one of them', async () => {
  await using fixture = await startUsersFixture()
  await fixture.as('anna').apply(listSet(['a']))
  const answers = await Promise.all([
    fixture.as('anna').apply(listSet(['a', 'b', 'c']), { confirmDeletions: true }),
    fixture.as('olga').apply(listSet(['a', 'd', 'e']), { confirmDeletions: true }),
  ])
  assert.deepEqual(
    answers.map(({ outcome }) => outcome),
    ['updated', 'updated'],
  )
  const set = await fixture.generation.store.get('ApplicationSet', 'argocd', 'set')
  const author = set && currentAuthor(set, fixture.generation.context.seal)
  const expected = author?.subject.sub === 'anna' ? ['a', 'b', 'c'] : ['a', 'd', 'e']
  assert.deepEqual(await fixture.names(), expected)
  assert.deepEqual(set?.spec?.['generators'], [{ list: { elements: expected.map((name) => ({ name })) } }])
})

test('two who see the same version cannot both change it', async () => {
  await using fixture = await startUsersFixture()
  const { applicationSet } = await fixture.as('anna').apply(listSet(['a']))
  const { resourceVersion } = applicationSet['metadata'] as { resourceVersion: string }
  const settled = await Promise.allSettled([
    fixture.as('anna').apply(listSet(['a', 'b'], { resourceVersion })),
    fixture.as('olga').apply(listSet(['a', 'c'], { resourceVersion })),
  ])
  const refused = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(refused.length, 1)
  assert.ok(refused[0] instanceof ConflictError)
})

test('what appears while a set is generated is checked before anything is stored', async () => {
  await using fixture = await startUsersFixture(policy, { matches: { '*': ['a', 'b'] } })
  const { context, generation } = fixture
  await fixture.as('anna').apply(listSet(['a']))
  const [a] = (await generation.store.list('Application')).items
  const foreign = applicationOf('p', 'prod')
  const ownerReferences = a?.metadata.ownerReferences ?? []
  let left = 1
  const resolveRevisions: typeof context.repoServer.resolveRevisions = async (request, options) => {
    if (left-- > 0) {
      await generation.store.create({ ...foreign, metadata: { ...foreign.metadata, ownerReferences } })
    }
    return context.repoServer.resolveRevisions(request, options)
  }
  const racing = { ...context, repoServer: { ...context.repoServer, resolveRevisions } }
  const generators = [
    { git: { repoURL: 'https://git.example.com/team/apps.git', directories: [{ path: '*' }] } },
  ]
  // So that the plan itself leaves the other Application alone.
  const kept = { syncPolicy: { applicationsSync: 'create-update' } }
  await assert.rejects(
    fixture
      .as('anna', [], racing)
      .apply(setOf({ ...kept, generators, template: templateOf('{{path}}', 'dev') })),
    new FailedPreconditionError('application a is not managed by this ApplicationSet'),
  )
  assert.ok(left <= 0)
  assert.deepEqual(await fixture.names(), ['a', 'p'])
})
