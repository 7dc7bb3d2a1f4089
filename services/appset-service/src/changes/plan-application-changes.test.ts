import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import { ownerReference } from './owned-applications.ts'
import { planApplicationChanges } from './plan-application-changes.ts'

const limits = { share: 50, count: 5 }

function setWith(
  syncPolicy: Record<string, unknown> = {},
  annotations: Record<string, string> = {},
): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd', uid: 'uid-1', annotations },
    spec: { generators: [{ list: {} }], template: {}, syncPolicy },
  }
}

function application(name: string, spec: Record<string, unknown> = { project: 'p' }): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec,
  }
}

function owned(name: string, spec?: Record<string, unknown>, set = setWith()): Resource {
  const plain = application(name, spec)
  return {
    ...plain,
    metadata: { ...plain.metadata, resourceVersion: '1', ownerReferences: [ownerReference(set)] },
    status: { health: 'x' },
  }
}

function plan(
  generated: readonly Resource[],
  existing: readonly Resource[],
  { set = setWith(), confirmDeletions = false } = {},
) {
  const { changes, withheld } = planApplicationChanges({
    set: parseApplicationSet(set),
    stored: set,
    generated,
    existing,
    limits,
    confirmDeletions,
  })
  return { changes: changes.map(({ action, name }) => `${action} ${name}`), withheld }
}

const many = (count: number, make: (name: string) => Resource) =>
  Array.from({ length: count }, (_, index) => make(`n${index}`))

test('Applications are made, changed, left and deleted, by name', () => {
  const generated = [application('new'), application('same'), application('b', { project: 'q' })]
  assert.deepEqual(plan(generated, [owned('same'), owned('b'), owned('gone')]), {
    changes: ['update b', 'delete gone', 'create new', 'unchanged same'],
    withheld: '',
  })
})

test('Applications that are being deleted are left until they are gone', () => {
  const goes = (name: string) => {
    const { metadata, ...rest } = owned(name)
    return { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  }
  assert.deepEqual(plan([application('b', { project: 'q' })], [goes('b'), goes('gone')]), {
    changes: ['unchanged b'],
    withheld: '',
  })
})

test('a change keeps what is stored of an Application and is not the set’s to decide', () => {
  const set = setWith()
  const before = owned('a')
  const { changes } = planApplicationChanges({
    set: parseApplicationSet(set),
    stored: set,
    generated: [application('a', { project: 'q' })],
    existing: [before],
    limits,
    confirmDeletions: false,
  })
  assert.deepEqual(changes, [
    { action: 'update', name: 'a', before, after: { ...before, spec: { project: 'q' } } },
  ])
})

test('the policy of the set decides what happens beside creating', () => {
  const actions = (applicationsSync: string) =>
    plan([application('new'), application('old', { project: 'q' })], [owned('old'), owned('gone')], {
      set: setWith({ applicationsSync }),
    }).changes
  assert.deepEqual(actions('sync'), ['delete gone', 'create new', 'update old'])
  assert.deepEqual(actions('create-only'), ['keep gone', 'create new', 'unchanged old'])
  assert.deepEqual(actions('create-update'), ['keep gone', 'create new', 'update old'])
  assert.deepEqual(actions('create-delete'), ['delete gone', 'create new', 'unchanged old'])
})

test('an Application of a set with the same name and another uid is foreign', () => {
  const first = { ...setWith(), metadata: { ...setWith().metadata, uid: 'uid-0' } }
  const error = new FailedPreconditionError('application a is not managed by this ApplicationSet')
  assert.throws(() => plan([application('a')], [owned('a', undefined, first)]), error)
  assert.throws(() => plan([application('a')], [application('a')]), error)
  assert.deepEqual(plan([application('b')], [owned('a', undefined, first)]).changes, ['create b'])
})

test('an empty result deletes nothing, unless the set allows it or somebody confirms it', () => {
  const existing = many(8, owned)
  const refused = plan([], existing)
  assert.ok(refused.changes.every((change) => change.startsWith('keep ')))
  assert.equal(
    refused.withheld,
    '8 of 8 Applications stay: the generators yield nothing, and an empty result deletes nothing without the ' +
      'annotation wadi.dev/allow-empty: "true"; to delete them run: wadi appset refresh set --confirm',
  )
  const allowing = setWith({}, { 'wadi.dev/allow-empty': 'true' })
  for (const options of [{ set: allowing }, { confirmDeletions: true }]) {
    const { changes, withheld } = plan([], existing, options)
    assert.ok(changes.every((change) => change.startsWith('delete ')))
    assert.equal(withheld, '')
  }
  assert.equal(plan([], []).withheld, '')
  assert.equal(plan([], existing, { set: setWith({ applicationsSync: 'create-only' }) }).withheld, '')
})

test('more deletions than the count and the share wait for a confirmation', () => {
  const withheldAfter = (count: number, left: number, confirmDeletions = false) =>
    plan(many(left, application), many(count, owned), { confirmDeletions }).withheld
  assert.equal(withheldAfter(6, 1), '')
  assert.equal(withheldAfter(12, 6), '')
  assert.match(
    withheldAfter(11, 5),
    /^6 of 11 Applications stay: they are generated no longer, and more than 5 and more than 50 %/,
  )
  assert.equal(withheldAfter(11, 5, true), '')
})
