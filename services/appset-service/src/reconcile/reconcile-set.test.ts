import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { refreshAnnotation } from '@wadi/resources/decided-version.ts'
import { applicationOf, listSet, setOf, templateOf } from '../routes/users-fixture.ts'
import { gitSet, type ReconcileFixture, startReconcileFixture } from './reconcile-fixture.ts'
import { readAuthor, statusWithAuthor } from '../access/author.ts'

const repository = 'https://git.example.com/team/apps'

/** Has the set look at its repository, as after a push. */
async function passAfterPush(fixture: ReconcileFixture): Promise<unknown> {
  fixture.context.inputCache.repositoryChanged(repository)
  return (await fixture.pass())?.error
}

function messageOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined
}

/** Changes the stored policy and waits until it applies. */
async function changePolicy({ generation, context }: ReconcileFixture, csv: string): Promise<void> {
  await mutate(generation.store, 'ConfigMap', 'argocd', 'argocd-rbac-cm', (configMap) => ({
    ...configMap,
    data: { 'policy.csv': csv },
  }))
  const deadline = performance.now() + 10_000
  while (context.policy.enforcer.allows({ sub: 'anna', groups: [] }, 'applications', 'create', 'dev/c')) {
    assert.ok(performance.now() < deadline)
    await new Promise(setImmediate)
  }
}

test('what a push adds, changes and removes is made in the name of the author', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  fixture.commit('c1', 'b', 'c')
  assert.equal(await passAfterPush(fixture), undefined)
  assert.deepEqual(await fixture.names(), ['b', 'c'])
  const { uid } = (await fixture.set()).metadata
  const created = await fixture.generation.store.get('Application', 'argocd', 'c')
  assert.equal(created?.metadata.ownerReferences?.[0]?.uid, uid)
  assert.equal(
    await fixture.condition('ResourcesUpToDate'),
    'True ApplicationSetUpToDate: All applications have been generated successfully',
  )
})

test('a failing generator changes nothing and is reported', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  await fixture.pass()
  const { resources } = (await fixture.set()).status ?? {}
  fixture.generation.repository.failure = new UnavailableError('the remote hangs up')
  assert.match(messageOf(await passAfterPush(fixture)) ?? '', /the remote hangs up/)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.match(
    (await fixture.condition('ErrorOccurred')) ?? '',
    /^True ApplicationGenerationFromParamsError: spec\.generators\[0\]\.git: .*the remote hangs up$/,
  )
  const { status } = await fixture.set()
  assert.deepEqual(status?.['resources'], resources)
  assert.match(JSON.stringify(status?.['health']), /^{"status":"Degraded"/)
  fixture.generation.repository.failure = undefined
  assert.equal(await passAfterPush(fixture), undefined)
  assert.match((await fixture.condition('ErrorOccurred')) ?? '', /^False ApplicationSetUpToDate: /)
})

test('an empty result deletes nothing, unless the set allows it', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  fixture.commit('c1')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.match((await fixture.condition('DeletionsWithheld')) ?? '', /^True ConfirmationRequired: 2 of 2 /)
  await fixture.as('anna').apply(gitSet({ annotations: { 'wadi.dev/allow-empty': 'true' } }))
  await fixture.pass()
  assert.deepEqual(await fixture.names(), [])
  assert.equal(await fixture.condition('DeletionsWithheld'), undefined)
})

test('many deletions wait until somebody confirms them', async () => {
  await using fixture = await startReconcileFixture()
  const names = 'abcdefghijkl'.split('')
  fixture.commit('c1', ...names)
  await fixture.as('anna').apply(gitSet())
  fixture.commit('c2', 'a', 'b')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), names)
  assert.match((await fixture.condition('DeletionsWithheld')) ?? '', /--confirm$/)
  assert.equal((await fixture.set()).status?.['resourcesCount'], 12)
  await fixture.as('anna').refresh({ confirmDeletions: true })
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  await fixture.pass()
  assert.equal(await fixture.condition('DeletionsWithheld'), undefined)
  assert.equal((await fixture.set()).status?.['resourcesCount'], 2)
})

test('an Application that another one owns or nobody is never adopted, and stops the whole set', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  const foreign = await fixture.generation.store.create(applicationOf('c', 'dev'))
  fixture.commit('c1', 'b', 'c', 'd')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b', 'c'])
  assert.deepEqual(await fixture.generation.store.get('Application', 'argocd', 'c'), foreign)
  assert.equal(
    await fixture.condition('ErrorOccurred'),
    'True ApplicationValidationError: application c is not managed by this ApplicationSet',
  )
})

test('a set that is created again under the name of another one does not take over its Applications', async () => {
  await using fixture = await startReconcileFixture()
  const { store } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  const { seal } = fixture.context
  const author = readAuthor(await fixture.set(), seal)
  assert.ok(author)
  await store.delete('ApplicationSet', 'argocd', 'set')
  const { metadata, ...again } = gitSet() as unknown as Resource
  const stored = await store.create({ ...again, metadata: { ...metadata, namespace: 'argocd' } })
  await store.updateStatus({ ...stored, status: statusWithAuthor(stored, author, seal, new Date()) })
  fixture.commit('c1', 'a')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.match((await fixture.condition('ErrorOccurred')) ?? '', /application a is not managed by this/)
})

test('an author who may read the repository no longer makes nothing any more', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  await changePolicy(fixture, '')
  fixture.commit('c1', 'a', 'b', 'c')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.match(
    (await fixture.condition('ErrorOccurred')) ?? '',
    /^True ApplicationGenerationFromParamsError: .*permission denied: repositories, get, .*, sub: anna$/,
  )
})

test('an author makes no Application that only others may make', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  const readOnly = `p, anna, repositories, get, *, allow\np, anna, applications, *, dev/a, allow\n`
  await changePolicy(fixture, `${readOnly}p, anna, applications, *, dev/b, allow\n`)
  fixture.commit('c1', 'a', 'b', 'c')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.match(
    (await fixture.condition('ErrorOccurred')) ?? '',
    /^True ApplicationValidationError: permission denied: 1 of 3 Applications of the set, sub: anna$/,
  )
})

test('an author who may create and not update keeps a set that has changed nothing', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  const reads = 'p, anna, repositories, get, *, allow\np, anna, applications, get, dev/*, allow\n'
  const creates = ['a', 'b'].map((name) => `p, anna, applications, create, dev/${name}, allow\n`).join('')
  await changePolicy(fixture, reads + creates)
  fixture.commit('c1', 'a', 'b')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.match((await fixture.condition('ErrorOccurred')) ?? '', /^False /)
})

test('a project that the author was not checked for makes the whole set stop', async () => {
  await using fixture = await startReconcileFixture()
  const elements = [{ name: 'a', project: 'dev' }]
  const template = templateOf('{{name}}', '{{project}}')
  await fixture.as('olga').apply(setOf({ generators: [{ list: { elements } }], template }))
  const { generation } = fixture
  // What a file in git would do: another project and, in the same step, something that would be fine.
  const other = [...elements, { name: 'b', project: 'dev' }, { name: 'c', project: 'prod' }]
  const changed = await mutate(generation.store, 'ApplicationSet', 'argocd', 'set', (set) => ({
    ...set,
    spec: { generators: [{ list: { elements: other } }], template },
  }))
  await fixture.pass()
  assert.equal(
    await fixture.condition('ErrorOccurred'),
    'True ErrorOccurred: the ApplicationSet was not checked yet: apply it again',
  )
  const stored = await fixture.set()
  const { seal } = generation.context
  const author = readAuthor(stored, seal)
  const { generation: number = 0 } = changed.metadata
  assert.ok(author)
  await generation.store.updateStatus({
    ...stored,
    status: statusWithAuthor(stored, { ...author, generation: number }, seal, new Date()),
  })
  await fixture.pass()
  assert.deepEqual(await fixture.names(), ['a'])
  assert.match(
    (await fixture.condition('ErrorOccurred')) ?? '',
    /^True ApplicationValidationError: project prod is not authorised for this ApplicationSet/,
  )
})

test('a set that nobody was checked for is left alone', async () => {
  await using fixture = await startReconcileFixture()
  const { metadata, ...set } = listSet(['a']) as unknown as Resource
  await fixture.generation.store.create({ ...set, metadata: { ...metadata, namespace: 'argocd' } })
  await fixture.pass()
  assert.deepEqual(await fixture.names(), [])
  assert.match((await fixture.condition('ErrorOccurred')) ?? '', /was not checked yet: apply it again$/)
})

test('an AppProject that permits an Application no longer stops the set', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  await mutate(fixture.generation.store, 'AppProject', 'argocd', 'dev', (project) => ({
    ...project,
    spec: { ...project.spec, destinations: [] },
  }))
  fixture.commit('c1', 'a', 'b', 'c')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  assert.match((await fixture.condition('ErrorOccurred')) ?? '', /not permitted in project 'dev'/)
})

test('a pass over an unchanged set writes nothing and asks nobody', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  await fixture.pass()
  const { store } = fixture.generation
  const { resourceVersion } = await store.list('Application')
  const calls = fixture.generation.calls.length
  assert.equal((await fixture.pass())?.changed, 0)
  assert.equal((await store.list('Application')).resourceVersion, resourceVersion)
  assert.equal(fixture.generation.calls.length, calls)
})

test('the annotation has the remotes asked now and goes away', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  await fixture.pass()
  fixture.commit('c1', 'a', 'b', 'c')
  await fixture.pass()
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  await mutate(fixture.generation.store, 'ApplicationSet', 'argocd', 'set', (set) => ({
    ...set,
    metadata: { ...set.metadata, annotations: { [refreshAnnotation]: 'true', kept: 'yes' } },
  }))
  fixture.generation.calls.length = 0
  await fixture.pass()
  assert.deepEqual(await fixture.names(), ['a', 'b', 'c'])
  assert.equal(fixture.generation.calls[0], 'resolve HEAD dev now')
  assert.deepEqual((await fixture.set()).metadata.annotations, { kept: 'yes' })
})

test('what the policy of the set keeps is counted', async () => {
  await using fixture = await startReconcileFixture()
  const syncPolicy = { applicationsSync: 'create-only' }
  await fixture.as('anna').apply(gitSet({}, { syncPolicy }))
  fixture.commit('c1', 'b', 'c')
  await passAfterPush(fixture)
  assert.deepEqual(await fixture.names(), ['a', 'b', 'c'])
  assert.match(
    (await fixture.condition('ResourcesUpToDate')) ?? '',
    /; 1 that are generated no longer stay, /,
  )
})
