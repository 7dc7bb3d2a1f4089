import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  branchRecord,
  callContext,
  openGatewayFixture,
  sampleApplication,
  storeWithStatus,
} from '../gateway-fixture.ts'
import {
  getApplicationResource,
  readUserApplication,
  readUserObject,
  toStruct,
  viewOne,
} from './read-application.ts'

test('what the server owns is left out of an object that a user sent', () => {
  const sent = {
    ...toStruct(sampleApplication('web')),
    status: { sourceHydrator: { lastSuccessfulOperation: { drySHA: 'f'.repeat(40) } } },
    operation: { sync: { revision: 'HEAD' } },
    metadata: {
      name: 'web',
      namespace: 'argocd',
      ownerReferences: [
        { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'x', uid: 'u', controller: true },
      ],
    },
  }
  assert.deepEqual(readUserObject(sent), sampleApplication('web'))
})

test('an object without a namespace gets the one of Wadi, another one is kept', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }
  assert.deepEqual(readUserObject(object).metadata, { name: 'settings', namespace: 'argocd' })
  const elsewhere = { ...object, metadata: { name: 'settings', namespace: 'team-a' } }
  assert.equal(readUserObject(elsewhere).metadata.namespace, 'team-a')
})

test('a value that is not an object of a known kind is refused with the reason', () => {
  const metadata = { name: 'x' }
  const shape = /^an object needs apiVersion, kind and metadata$/
  const refused: [Parameters<typeof readUserObject>[0], RegExp][] = [
    [undefined, shape],
    [{}, shape],
    [{ apiVersion: 'v1', kind: 'Secret' }, shape],
    [{ apiVersion: 'v1', kind: 'Secret', metadata: [] }, shape],
    [{ apiVersion: 'v1', kind: 'Secret', metadata: null }, shape],
    [{ apiVersion: 1, kind: 'Secret', metadata }, shape],
    [{ apiVersion: 'v1', kind: 'Secret', metadata: {} }, /^Secret needs metadata\.name$/],
    [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 7 } }, /^Secret needs metadata\.name$/],
    [{ apiVersion: 'v1', kind: 'Pod', metadata }, /^kind "Pod" .* is not known/],
    [{ apiVersion: 'v2', kind: 'Secret', metadata }, /^kind Secret has apiVersion v1, not "v2"$/],
  ]
  for (const [value, message] of refused) {
    assert.throws(() => readUserObject(value), { name: 'InvalidInputError', message }, JSON.stringify(value))
  }
})

test('an object is checked as the store checks it, before anything is done with it', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }
  const refused: [Parameters<typeof readUserObject>[0], RegExp][] = [
    [{ ...secret, metadata: { name: 'Not_A_Name' } }, /metadata\.name/],
    [{ ...secret, metadata: { name: 'x', namespace: 7 } }, /metadata\.namespace/],
    [{ ...secret, metadata: { name: 'x', labels: { a: 1 } } }, /metadata\.labels/],
    [
      { ...secret, stringData: { password: 12345678 } },
      /stringData\.password must be a string, not a number$/,
    ],
    [{ ...secret, data: { password: null } }, /data\.password must be a string, not null$/],
    [{ ...secret, spec: 'x' }, /spec must be an object, not a string$/],
  ]
  for (const [value, message] of refused)
    assert.throws(() => readUserObject(value), { name: 'InvalidInputError', message })
  const unnamed = readUserObject({ ...secret, metadata: { name: 'x', namespace: null } })
  assert.equal(unnamed.metadata.namespace, 'argocd')
})

test('records of hydrated branches are not for users to write', () => {
  const record = toStruct(branchRecord(sampleApplication('web'), 'f'.repeat(40)))
  assert.throws(() => readUserObject(record), { name: 'InvalidInputError' })
})

test('an Application may leave its apiVersion and kind to the server', () => {
  const { metadata, spec } = toStruct(sampleApplication('web'))
  assert.deepEqual(
    readUserApplication({ metadata: metadata ?? null, spec: spec ?? null }),
    sampleApplication('web'),
  )
  assert.throws(() => readUserApplication({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }), {
    name: 'InvalidInputError',
    message: 'kind is Secret, not Application',
  })
})

test('a missing Application is not found under the name that argocd uses', async () => {
  await using fixture = await openGatewayFixture()
  const get = (namespace: string) =>
    getApplicationResource(fixture.context, callContext(), { namespace, name: 'web' })
  await assert.rejects(get(''), {
    name: 'NotFoundError',
    message: 'applications.argoproj.io "web" not found',
  })
  await fixture.context.store.create(sampleApplication('web'))
  assert.equal((await get('')).metadata.name, 'web')
  await assert.rejects(get('team-a'), { name: 'NotFoundError' })
})

test('one Application is shown with the record of its own branch', async () => {
  await using fixture = await openGatewayFixture()
  const stored = await fixture.context.store.create(sampleApplication('web'))
  assert.deepEqual((await viewOne(fixture.context, stored))['status'], { sourceHydrator: {} })
  const record = branchRecord(stored, 'd'.repeat(40))
  record.status = { ...record.status, groups: [{ ...firstGroup(record), phase: 'Hydrating' }] }
  await storeWithStatus(fixture.context, record)
  const view = await viewOne(fixture.context, stored)
  assert.equal(view['apiVersion'], 'argoproj.io/v1alpha1')
  assert.match(JSON.stringify(view['status']), /"phase":"Hydrating"/)
})

function firstGroup(record: ReturnType<typeof branchRecord>): object {
  const { groups } = record.status as { groups: object[] }
  return groups[0] ?? {}
}
