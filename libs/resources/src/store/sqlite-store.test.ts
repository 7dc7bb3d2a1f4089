import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import {
  AlreadyExistsError,
  ConflictError,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import type { Resource } from '../resource.ts'
import { mutate, mutateStatus } from './resource-store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'wadi-store-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function open() {
  return openSqliteStore({ file: join(folder, `${files++}`, 'store.db') })
}

function application(name: string, extra: Partial<Resource> = {}): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace: 'argocd', name },
    spec: { project: 'default' },
    ...extra,
  }
}

test('the file is for its owner alone, as are its directory and its log', async () => {
  const file = join(folder, 'private', 'store.db')
  await using store = openSqliteStore({ file })
  await store.create(application('a'))
  const modes = [join(folder, 'private'), file, `${file}-wal`, `${file}-shm`].map(
    (path) => statSync(path).mode & 0o777,
  )
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600])
})

test('a file that a newer version wrote is refused', () => {
  const file = join(folder, 'newer.db')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 99')
  database.close()
  assert.throws(() => openSqliteStore({ file }), FailedPreconditionError)
})

test('a created object gets the fields of the store, whatever the caller says, and keeps unknown ones', async () => {
  await using store = open()
  const created = await store.create(
    application('a', {
      metadata: {
        namespace: 'argocd',
        name: 'a',
        uid: 'mine',
        resourceVersion: '77',
        generation: 9,
        creationTimestamp: '1999-01-01T00:00:00Z',
        selfLink: '/kept',
      },
      status: { phase: 'forged' },
      operation: { kept: true },
    }),
  )
  const { uid, creationTimestamp, ...metadata } = created.metadata
  assert.deepEqual(metadata, {
    namespace: 'argocd',
    name: 'a',
    selfLink: '/kept',
    resourceVersion: '1',
    generation: 1,
  })
  assert.match(uid ?? '', /^[0-9a-f-]{36}$/)
  assert.ok(Date.parse(creationTimestamp ?? '') > Date.parse('2020-01-01'))
  assert.equal(created.status, undefined)
  assert.deepEqual(created['operation'], { kept: true })
  assert.deepEqual(await store.get('Application', 'argocd', 'a'), created)
})

test('an object outlives the store that wrote it', async () => {
  const file = join(folder, 'durable.db')
  const first = openSqliteStore({ file })
  const created = await first.create(application('a'))
  await first[Symbol.asyncDispose]()
  await using second = openSqliteStore({ file })
  assert.deepEqual(await second.get('Application', 'argocd', 'a'), created)
})

test('a second object of the same name is refused, one of another kind or namespace is not', async () => {
  await using store = open()
  await store.create(application('a'))
  await assert.rejects(store.create(application('a')), AlreadyExistsError)
  await store.create({ ...application('a'), kind: 'AppProject' })
  await store.create(application('a', { metadata: { namespace: 'other', name: 'a' } }))
})

test('wrong names are refused with the field path', async () => {
  await using store = open()
  for (const metadata of [
    { name: 'Upper' },
    { name: '../x' },
    { name: 'a', namespace: 'a.b' },
    { name: '' },
  ]) {
    await assert.rejects(store.create(application('a', { metadata })), InvalidInputError)
  }
  await assert.rejects(
    store.create(application('a', { metadata: { name: 'Upper' } })),
    /metadata\.name: "Upper"/,
  )
})

test('an object of more than 1.5 MiB is refused and leaves nothing', async () => {
  await using store = open()
  const large = application('a', { spec: { text: 'x'.repeat(1.5 * 1024 * 1024) } })
  await assert.rejects(store.create(large), ResourceExhaustedError)
  assert.deepEqual(await store.list('Application'), { items: [], resourceVersion: '0' })
})

test('an update needs the stored version, counts generations by spec and keeps the status', async () => {
  await using store = open()
  const created = await store.create(application('a'))
  const withStatus = await store.updateStatus({
    ...created,
    spec: { ignored: true },
    status: { phase: 'Hydrated' },
  })
  assert.deepEqual([withStatus.spec, withStatus.metadata.generation], [{ project: 'default' }, 1])
  await assert.rejects(store.update(created), ConflictError)
  await assert.rejects(store.update(application('a')), InvalidInputError)
  await assert.rejects(
    store.update({ ...withStatus, metadata: { ...withStatus.metadata, uid: 'another' } }),
    ConflictError,
  )
  const updated = await store.update({
    ...withStatus,
    spec: { project: 'team' },
    status: { phase: 'forged' },
  })
  assert.deepEqual(
    [updated.spec, updated.status, updated.metadata.generation, updated.metadata.resourceVersion],
    [{ project: 'team' }, { phase: 'Hydrated' }, 2, '3'],
  )
  const labelled = await store.update({
    ...updated,
    metadata: { ...updated.metadata, labels: { team: 'a' } },
  })
  assert.equal(labelled.metadata.generation, 2)
})

test('an update with equal content changes nothing', async () => {
  await using store = open()
  const created = await store.create(application('a'))
  assert.deepEqual(await store.update(created), created)
  assert.equal((await store.list('Application')).resourceVersion, '1')
})

test('an object that does not exist can be neither updated nor deleted', async () => {
  await using store = open()
  const ghost = application('ghost', {
    metadata: { namespace: 'argocd', name: 'ghost', resourceVersion: '1' },
  })
  await assert.rejects(store.update(ghost), NotFoundError)
  await assert.rejects(store.updateStatus(ghost), NotFoundError)
  await assert.rejects(store.delete('Application', 'argocd', 'ghost'), NotFoundError)
})

test('a delete with a stale version is refused', async () => {
  await using store = open()
  const created = await store.create(application('a'))
  await assert.rejects(store.delete('Application', 'argocd', 'a', { resourceVersion: '999' }), ConflictError)
  await store.delete('Application', 'argocd', 'a', {
    resourceVersion: created.metadata.resourceVersion ?? '',
  })
  assert.equal(await store.get('Application', 'argocd', 'a'), undefined)
  const again = await store.create(application('a'))
  assert.notEqual(again.metadata.uid, created.metadata.uid)
})

test('the texts of a Secret are folded into its base64 data and win there', async () => {
  await using store = open()
  const created = await store.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'argocd', name: 'repo' },
    data: { user: 'b2xk', url: 'dXJs' },
    stringData: { user: 'new', password: 'p' },
  })
  assert.deepEqual(created.data, { user: 'bmV3', url: 'dXJs', password: 'cA==' })
  assert.equal(created.stringData, undefined)
})

test('a list has one kind, by namespace and name, narrowed by namespace and labels', async () => {
  await using store = open()
  for (const [namespace, name, team] of [
    ['b', 'x', 'one'],
    ['a', 'z', 'two'],
    ['a', 'y', 'one'],
  ] as const) {
    await store.create(application(name, { metadata: { namespace, name, labels: { team } } }))
  }
  await store.create({ ...application('x'), kind: 'AppProject' })
  const names = async (options: Parameters<typeof store.list>[1]) =>
    (await store.list('Application', options)).items.map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    )
  assert.deepEqual(await names({}), ['a/y', 'a/z', 'b/x'])
  assert.deepEqual(await names({ namespace: 'a' }), ['a/y', 'a/z'])
  assert.deepEqual(await names({ labelSelector: 'team=one' }), ['a/y', 'b/x'])
  assert.deepEqual(await names({ namespace: 'a', labelSelector: 'team notin (one)' }), ['a/z'])
  assert.equal((await store.list('Application')).resourceVersion, '4')
})

test('mutate starts over when somebody was faster', async () => {
  await using store = open()
  await store.create({ ...application('counter'), spec: { count: 0 } })
  const increments = Array.from({ length: 10 }, () =>
    mutate(store, 'Application', 'argocd', 'counter', (current) => ({
      ...current,
      spec: { count: Number(current.spec?.['count']) + 1 },
    })),
  )
  await Promise.all(increments)
  assert.deepEqual((await store.get('Application', 'argocd', 'counter'))?.spec, { count: 10 })
})

test('mutate of a status leaves the rest alone, and a change of nothing writes nothing', async () => {
  await using store = open()
  await store.create(application('a'))
  const changed = await mutateStatus(store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    spec: {},
    status: { phase: 'Hydrating' },
  }))
  assert.deepEqual([changed.spec, changed.status], [{ project: 'default' }, { phase: 'Hydrating' }])
  assert.deepEqual(await mutate(store, 'Application', 'argocd', 'a', () => undefined), changed)
  await assert.rejects(
    mutate(store, 'Application', 'argocd', 'ghost', (current) => current),
    NotFoundError,
  )
})

test('several writes happen together, in their order, or not at all', async () => {
  await using store = open()
  const kept = await store.create(application('kept'))
  const gone = await store.create(application('gone'))
  const changed = { ...kept, spec: { project: 'other' } }
  const writes = [
    { action: 'create', resource: application('new') },
    { action: 'update', resource: changed },
    { action: 'delete', resource: gone },
  ] as const
  const { resourceVersion } = await store.list('Application')
  const stale = { ...gone, metadata: { ...gone.metadata, resourceVersion: '1' } }
  for (const [last, error] of [
    [{ action: 'create', resource: application('kept') }, AlreadyExistsError],
    [{ action: 'create', resource: application('No Name') }, InvalidInputError],
    [{ action: 'update', resource: kept }, ConflictError],
    [{ action: 'delete', resource: application('absent') }, NotFoundError],
    [{ action: 'delete', resource: stale }, NotFoundError],
  ] as const) {
    await assert.rejects(store.writeAll([...writes, last]), error)
  }
  await assert.rejects(store.writeAll([{ action: 'delete', resource: stale }]), ConflictError)
  assert.equal((await store.list('Application')).resourceVersion, resourceVersion)
  await store.writeAll(writes)
  const end = new AbortController()
  const reported: unknown[] = []
  const options = { fromResourceVersion: resourceVersion, signal: end.signal }
  for await (const { type, resource } of store.watch(['Application'], options)) {
    reported.push([type, resource.metadata.name, resource.metadata.resourceVersion, resource.spec])
    if (reported.length === writes.length) end.abort()
  }
  assert.deepEqual(reported, [
    ['added', 'new', '3', { project: 'default' }],
    ['modified', 'kept', '4', { project: 'other' }],
    ['deleted', 'gone', '5', { project: 'default' }],
  ])
})
