import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { mutate, mutateStatus, type ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { startGenerationFixture } from '../generation-fixture.ts'
import { applicationOf } from '../routes/users-fixture.ts'
import { applyChanges } from './apply-changes.ts'
import { ownedApplications } from './owned-applications.ts'

const { signal } = new AbortController()

function storedSet(store: ResourceStore) {
  return store.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: {},
  })
}

test('what others write between a plan and its execution is never overwritten', async () => {
  await using fixture = await startGenerationFixture()
  const { store } = fixture
  const set = await storedSet(store)
  const after = applicationOf('a', 'dev')
  await applyChanges(store, set, [{ action: 'create', name: 'a', after }], signal)
  const [before] = await ownedApplications(store, set)
  assert.ok(before)
  const changed = await mutate(store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    spec: { project: 'prod' },
  }))
  const next = { ...before, spec: { project: 'other' } }
  for (const change of [
    { action: 'update', name: 'a', before, after: next },
    { action: 'delete', name: 'a', before },
    { action: 'create', name: 'a', after },
  ] as const) {
    await assert.rejects(
      applyChanges(store, set, [change], signal),
      new ConflictError('Application argocd/a was changed by somebody else in the meantime; try again'),
    )
  }
  assert.deepEqual(await store.get('Application', 'argocd', 'a'), changed)
})

test('a new status stands in the way of no change and stays', async () => {
  await using fixture = await startGenerationFixture()
  const { store } = fixture
  const set = await storedSet(store)
  for (const name of ['a', 'b']) {
    const after = applicationOf(name, 'dev')
    await applyChanges(store, set, [{ action: 'create', name, after }], signal)
  }
  const [a, b] = await ownedApplications(store, set)
  assert.ok(a && b)
  const status = { sync: 'done' }
  for (const name of ['a', 'b']) {
    await mutateStatus(store, 'Application', 'argocd', name, (current) => ({ ...current, status }))
  }
  const after = { ...a, spec: { project: 'prod' } }
  await applyChanges(
    store,
    set,
    [
      { action: 'update', name: 'a', before: a, after },
      { action: 'delete', name: 'b', before: b },
    ],
    signal,
  )
  const left = await ownedApplications(store, set)
  assert.deepEqual(
    left.map(({ metadata, spec, status: kept }) => [metadata.name, spec, kept]),
    [['a', { project: 'prod' }, status]],
  )
})

test('new Applications come first and deletions last', async () => {
  await using fixture = await startGenerationFixture()
  const { store } = fixture
  const set = await storedSet(store)
  const created = (name: string) => ({ action: 'create', name, after: applicationOf(name, 'dev') }) as const
  await applyChanges(store, set, [created('a'), created('b')], signal)
  const [a, b] = await ownedApplications(store, set)
  assert.ok(a && b)
  const { resourceVersion } = await store.list('Application')
  await applyChanges(
    store,
    set,
    [
      { action: 'delete', name: 'a', before: a },
      { action: 'update', name: 'b', before: b, after: { ...b, spec: {} } },
      created('c'),
    ],
    signal,
  )
  const end = new AbortController()
  const reported: string[] = []
  for await (const { type, resource } of store.watch('Application', {
    fromResourceVersion: resourceVersion,
    signal: end.signal,
  })) {
    reported.push(`${type} ${resource.metadata.name}`)
    if (reported.length === 3) end.abort()
  }
  assert.deepEqual(reported, ['added c', 'modified b', 'deleted a'])
})

test('Applications are written by the hundred, and none of those with which one fails', async () => {
  await using fixture = await startGenerationFixture()
  const { store } = fixture
  const set = await storedSet(store)
  await store.create(applicationOf('a-130', 'dev'))
  const names = Array.from({ length: 150 }, (_, index) => `a-${String(index).padStart(3, '0')}`)
  const changes = names.map(
    (name) => ({ action: 'create', name, after: applicationOf(name, 'dev') }) as const,
  )
  await assert.rejects(applyChanges(store, set, changes, signal), ConflictError)
  const owned = await ownedApplications(store, set)
  assert.deepEqual(
    owned.map(({ metadata }) => metadata.name),
    names.slice(0, 100),
  )
})

test('a status that is written while Applications are changed makes them be checked again', async () => {
  await using fixture = await startGenerationFixture()
  const { store } = fixture
  const set = await storedSet(store)
  await applyChanges(store, set, [{ action: 'create', name: 'a', after: applicationOf('a', 'dev') }], signal)
  const [before] = await ownedApplications(store, set)
  assert.ok(before)
  let lost = 0
  const racing: ResourceStore = Object.assign(Object.create(store), {
    get: (...place: Parameters<ResourceStore['get']>) => store.get(...place),
    writeAll: async (writes: Parameters<ResourceStore['writeAll']>[0]) => {
      if (lost < 3) {
        lost += 1
        await mutateStatus(store, 'Application', 'argocd', 'a', (current) => ({
          ...current,
          status: { lost },
        }))
      }
      return store.writeAll(writes)
    },
  })
  await applyChanges(
    racing,
    set,
    [{ action: 'update', name: 'a', before, after: { ...before, spec: { project: 'prod' } } }],
    signal,
  )
  const { spec, status } = (await store.get('Application', 'argocd', 'a')) ?? {}
  assert.deepEqual([spec, status], [{ project: 'prod' }, { lost: 3 }])
})

test('when an Application is written meanwhile, those before it are not written twice', async () => {
  await using fixture = await startGenerationFixture()
  const { store } = fixture
  const set = await storedSet(store)
  await applyChanges(store, set, [{ action: 'create', name: 'b', after: applicationOf('b', 'dev') }], signal)
  const [before] = await ownedApplications(store, set)
  assert.ok(before)
  const writeAll = store.writeAll.bind(store)
  store.writeAll = async (writes) => {
    store.writeAll = writeAll
    await mutateStatus(store, 'Application', 'argocd', 'b', (current) => ({
      ...current,
      status: { lost: 1 },
    }))
    return writeAll(writes)
  }
  await applyChanges(
    store,
    set,
    [
      { action: 'create', name: 'a', after: applicationOf('a', 'dev') },
      { action: 'update', name: 'b', before, after: { ...before, spec: { project: 'prod' } } },
    ],
    signal,
  )
  const owned = await ownedApplications(store, set)
  assert.deepEqual(
    owned.map(({ metadata, spec, status }) => [metadata.name, spec?.['project'], status]),
    [
      ['a', 'dev', undefined],
      ['b', 'prod', { lost: 1 }],
    ],
  )
})
