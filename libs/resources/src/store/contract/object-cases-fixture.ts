import assert from 'node:assert/strict'
import { AlreadyExistsError, InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { ListOptions } from '../resource-store.ts'
import { application, project, type ContractCase } from './contract-objects-fixture.ts'

/** The promises about creations, objects and lists. */
export const objectCases: Readonly<Record<string, ContractCase>> = {
  'a created object gets the fields of the store, whatever the caller says, and keeps unknown ones': async (
    store,
  ) => {
    const created = await store.create(
      application('a', {
        metadata: {
          namespace: 'argocd',
          name: 'a',
          uid: 'mine',
          resourceVersion: '77',
          generation: 9,
          creationTimestamp: '1999-01-01T00:00:00Z',
          annotations: { 'example.com/kept': 'yes' },
        },
        status: { sourceHydrator: { lastComparedDryRevision: 'forged' } },
        operation: { initiatedBy: { username: 'anna' } },
      }),
    )
    const { uid, creationTimestamp, resourceVersion, namespace, name, generation, annotations } =
      created.metadata
    assert.deepEqual(
      { namespace, name, generation, annotations },
      { namespace: 'argocd', name: 'a', generation: 1, annotations: { 'example.com/kept': 'yes' } },
    )
    assert.match(resourceVersion ?? '', /./)
    assert.notEqual(resourceVersion, '77')
    assert.match(uid ?? '', /^[0-9a-f-]{36}$/)
    assert.ok(Date.parse(creationTimestamp ?? '') > Date.parse('2020-01-01'))
    assert.equal(created.status, undefined)
    assert.deepEqual(created['operation'], { initiatedBy: { username: 'anna' } })
    assert.deepEqual(await store.get('Application', 'argocd', 'a'), created)
  },

  'a second object of the same name is refused, one of another kind or namespace is not': async (store) => {
    await store.create(application('a'))
    await assert.rejects(store.create(application('a')), AlreadyExistsError)
    await store.create(project('a'))
    await store.create(application('a', { metadata: { namespace: 'other', name: 'a' } }))
  },

  'wrong names are refused with the field path': async (store) => {
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
  },

  'an object of more than 1.5 MiB is refused and leaves nothing': async (store) => {
    const large = application('a', { spec: { text: 'x'.repeat(1.5 * 1024 * 1024) } })
    await assert.rejects(store.create(large), ResourceExhaustedError)
    assert.deepEqual((await store.list('Application')).items, [])
  },

  'the texts of a Secret are folded into its base64 data and win there': async (store) => {
    const created = await store.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'argocd', name: 'repo' },
      data: { user: 'b2xk', url: 'dXJs' },
      stringData: { user: 'new', password: 'p' },
    })
    assert.deepEqual(created.data, { user: 'bmV3', url: 'dXJs', password: 'cA==' })
    assert.equal(created.stringData, undefined)
  },

  'a list has one kind, by namespace and name, narrowed by namespace and labels': async (store) => {
    for (const [namespace, name, team] of [
      ['b', 'x', 'one'],
      ['a', 'z', 'two'],
      ['a', 'y', 'one'],
    ] as const) {
      await store.create(application(name, { metadata: { namespace, name, labels: { team } } }))
    }
    await store.create(project('x'))
    const names = async (options: ListOptions) =>
      (await store.list('Application', options)).items.map(
        ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
      )
    assert.deepEqual(await names({}), ['a/y', 'a/z', 'b/x'])
    assert.deepEqual(await names({ namespace: 'a' }), ['a/y', 'a/z'])
    assert.deepEqual(await names({ labelSelector: 'team=one' }), ['a/y', 'b/x'])
    assert.deepEqual(await names({ namespace: 'a', labelSelector: 'team notin (one)' }), ['a/z'])
  },
}
