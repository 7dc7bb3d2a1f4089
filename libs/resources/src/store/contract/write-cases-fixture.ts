import assert from 'node:assert/strict'
import {
  AlreadyExistsError,
  ConflictError,
  InvalidInputError,
  NotFoundError,
} from '@wadi/errors/domain-error.ts'
import { isBeingDeleted, type Resource } from '../../resource.ts'
import { mutate, mutatePart, mutateStatus } from '../resource-store.ts'
import { application, configMap, type ContractCase } from './contract-objects-fixture.ts'

const hydrated = { sourceHydrator: { lastComparedDryRevision: 'abc' } }
const forged = { sourceHydrator: { lastComparedDryRevision: 'forged' } }

/** The promises about changes and deletions. */
export const writeCases: Readonly<Record<string, ContractCase>> = {
  'an update needs the stored version, counts generations by spec and keeps the status': async (store) => {
    const created = await store.create(application('a'))
    const withStatus = await store.updateStatus({ ...created, spec: { ignored: true }, status: hydrated })
    assert.deepEqual(withStatus.spec, created.spec)
    await assert.rejects(store.update(created), ConflictError)
    await assert.rejects(store.update(application('a')), InvalidInputError)
    await assert.rejects(
      store.update({ ...withStatus, metadata: { ...withStatus.metadata, uid: 'another' } }),
      ConflictError,
    )
    const spec = { project: 'team', destination: {} }
    const updated = await store.update({ ...withStatus, spec, status: forged })
    assert.deepEqual([updated.spec, updated.status], [spec, hydrated])
    assert.ok((updated.metadata.generation ?? 0) > (withStatus.metadata.generation ?? 0))
    assert.notEqual(updated.metadata.resourceVersion, withStatus.metadata.resourceVersion)
  },

  'an update with equal content changes nothing': async (store) => {
    const created = await store.create(application('a'))
    assert.deepEqual(await store.update(created), created)
    assert.deepEqual((await store.list('Application')).items, [created])
  },

  'an object that does not exist can be neither updated nor deleted': async (store) => {
    const ghost = application('ghost', {
      metadata: { namespace: 'argocd', name: 'ghost', resourceVersion: '1' },
    })
    await assert.rejects(store.update(ghost), NotFoundError)
    await assert.rejects(store.updateStatus(ghost), NotFoundError)
    await assert.rejects(store.delete('Application', 'argocd', 'ghost'), NotFoundError)
  },

  'a delete with a stale version is refused': async (store) => {
    const created = await store.create(application('a'))
    await assert.rejects(
      store.delete('Application', 'argocd', 'a', { resourceVersion: '999999999' }),
      ConflictError,
    )
    await store.delete('Application', 'argocd', 'a', {
      resourceVersion: created.metadata.resourceVersion ?? '',
    })
    assert.equal(await store.get('Application', 'argocd', 'a'), undefined)
    const again = await store.create(application('a'))
    assert.notEqual(again.metadata.uid, created.metadata.uid)
  },

  'mutate starts over when somebody was faster': async (store) => {
    await store.create(configMap('counter', '0'))
    const increments = Array.from({ length: 10 }, () =>
      mutate(store, 'ConfigMap', 'argocd', 'counter', (current) => ({
        ...current,
        data: { value: String(Number(current.data?.['value']) + 1) },
      })),
    )
    await Promise.all(increments)
    assert.deepEqual((await store.get('ConfigMap', 'argocd', 'counter'))?.data, { value: '10' })
  },

  'mutate of a status leaves the rest alone, and a change of nothing writes nothing': async (store) => {
    const { spec } = await store.create(application('a'))
    const changed = await mutateStatus(store, 'Application', 'argocd', 'a', (current) => ({
      ...current,
      spec: {},
      status: hydrated,
    }))
    assert.deepEqual([changed.spec, changed.status], [spec, hydrated])
    assert.deepEqual(await mutate(store, 'Application', 'argocd', 'a', () => undefined), changed)
    await assert.rejects(
      mutate(store, 'Application', 'argocd', 'ghost', (current) => current),
      NotFoundError,
    )
  },

  'a patch changes the parts that it names, of the newest object or of the version that it names': async (
    store,
  ) => {
    const { metadata, spec } = await store.create(
      application('a', {
        metadata: {
          namespace: 'argocd',
          name: 'a',
          labels: { team: 'a' },
          annotations: { old: '1', kept: '2' },
        },
      }),
    )
    await store.updateStatus({ ...application('a'), metadata, status: hydrated })
    const annotations = { old: null, new: '3' }
    const patched = await store.patch('Application', 'argocd', 'a', {
      metadata: { annotations, uid: 'mine' },
      status: forged,
    })
    assert.deepEqual(patched.metadata.annotations, { kept: '2', new: '3' })
    assert.deepEqual(
      [patched.metadata.labels, patched.metadata.uid, patched.spec, patched.status],
      [{ team: 'a' }, metadata.uid, spec, hydrated],
    )
    assert.deepEqual(await store.patch('Application', 'argocd', 'a', { metadata: { annotations } }), patched)
    const stale = { resourceVersion: '999999999' }
    const { resourceVersion = '' } = patched.metadata
    await assert.rejects(store.patch('Application', 'argocd', 'a', { spec: {} }, stale), ConflictError)
    await assert.rejects(store.patch('Application', 'argocd', 'ghost', { spec: {} }), NotFoundError)
    await assert.rejects(store.patch('Application', 'argocd', 'a', { spec: 'text' }), InvalidInputError)
    const team = { spec: { project: 'team' } }
    const changed = await store.patch('Application', 'argocd', 'a', team, { resourceVersion })
    assert.deepEqual(changed.spec, { ...spec, project: 'team' })
    assert.deepEqual(await store.get('Application', 'argocd', 'a'), changed)
  },

  'mutate of a part keeps what others change meanwhile': async (store) => {
    await store.create(configMap('counter', '0'))
    const raced = await mutatePart(store, 'ConfigMap', 'argocd', 'counter', (current) => ({
      data: { [`after-${current.data?.['value']}`]: 'yes' },
    }))
    assert.deepEqual(raced.data, { value: '0', 'after-0': 'yes' })
    const increments = Array.from({ length: 5 }, () =>
      mutatePart(store, 'ConfigMap', 'argocd', 'counter', (current) => ({
        data: { value: String(Number(current.data?.['value']) + 1) },
      })),
    )
    await Promise.all(increments)
    const { data } = (await store.get('ConfigMap', 'argocd', 'counter')) ?? {}
    assert.deepEqual(data, { value: '5', 'after-0': 'yes' })
    const unchanged = await mutatePart(store, 'ConfigMap', 'argocd', 'counter', () => undefined)
    assert.deepEqual(unchanged.data, data)
  },

  'an object with finalizers stays until the last of them is gone': async (store) => {
    const finalizers = ['example.com/first', 'example.com/second']
    const held = configMap('held')
    const created = await store.create({
      ...held,
      metadata: { ...held.metadata, finalizers, deletionTimestamp: '1999-01-01T00:00:00Z' },
    })
    assert.equal(created.metadata.deletionTimestamp, undefined)
    const { resourceVersion } = await store.list('ConfigMap')
    for (let time = 0; time < 2; time++) await store.delete('ConfigMap', 'argocd', 'held')
    const removed = await store.get('ConfigMap', 'argocd', 'held')
    assert.ok(removed && isBeingDeleted(removed))
    assert.deepEqual((await store.list('ConfigMap')).items, [removed])
    await assert.rejects(store.create(held), AlreadyExistsError)
    const withFinalizers = (left: string[]) =>
      mutate(store, 'ConfigMap', 'argocd', 'held', ({ metadata, ...rest }) => {
        const { deletionTimestamp: _, ...kept } = metadata
        return { ...rest, metadata: { ...kept, finalizers: left } }
      })
    const second = await withFinalizers(['example.com/second'])
    assert.equal(second.metadata.deletionTimestamp, removed.metadata.deletionTimestamp)
    await withFinalizers([])
    assert.equal(await store.get('ConfigMap', 'argocd', 'held'), undefined)
    const stop = new AbortController()
    const types: string[] = []
    const options = { fromResourceVersion: resourceVersion, signal: stop.signal }
    for await (const { type } of store.watch('ConfigMap', options)) {
      types.push(type)
      if (type === 'deleted') stop.abort()
    }
    assert.deepEqual(types, ['modified', 'modified', 'deleted'])
    await store.create(held)
  },

  'several writes are made in their order up to the first that fails': async (store) => {
    const kept = await store.create(configMap('kept'))
    const gone = await store.create(configMap('gone'))
    for (const [index, [write, Expected]] of (
      [
        [{ action: 'create', resource: configMap('kept') }, AlreadyExistsError],
        [{ action: 'create', resource: configMap('No Name') }, InvalidInputError],
        [{ action: 'update', resource: withVersion(kept, '999999999') }, ConflictError],
        [{ action: 'delete', resource: configMap('absent') }, NotFoundError],
        [{ action: 'delete', resource: withVersion(gone, '999999999') }, ConflictError],
      ] as const
    ).entries()) {
      const made = { action: 'create', resource: configMap(`made-${index}`) } as const
      const { written, error } = await store.writeAll([made, write, { action: 'delete', resource: gone }])
      assert.equal(written, 1)
      assert.ok(error instanceof Expected, `${error}`)
      await store.delete('ConfigMap', 'argocd', `made-${index}`)
    }
    assert.deepEqual((await store.list('ConfigMap')).items, [gone, kept])
    const writes = [
      { action: 'create', resource: configMap('new') },
      { action: 'update', resource: { ...kept, data: { value: 'other' } } },
      { action: 'delete', resource: gone },
    ] as const
    assert.deepEqual(await store.writeAll(writes), { written: 3 })
    const { items } = await store.list('ConfigMap')
    assert.deepEqual(
      items.map(({ metadata, data }) => [metadata.name, data]),
      [
        ['kept', { value: 'other' }],
        ['new', { value: '' }],
      ],
    )
  },
}

function withVersion(resource: Resource, resourceVersion: string): Resource {
  return { ...resource, metadata: { ...resource.metadata, resourceVersion } }
}
