import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedApplication, copiedApplication, editedApplication, nameError } from './edited-application.ts'

const hydrate = 'argocd.argoproj.io/hydrate'
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const spec = {
  project: 'default',
  sourceHydrator: { drySource: { path: 'web' }, syncSource: { targetBranch: 'prod', path: 'web' } },
}
const stored = {
  kind: 'Application',
  metadata: {
    name: 'web',
    namespace: 'argocd',
    resourceVersion: '7',
    annotations: { note: 'a', [hydrate]: 'normal' },
    ownerReferences: [{ name: 'set' }],
  },
  spec,
  status: {},
}

test('a request for a hydration is no part of the text, and stays through a change', () => {
  const { metadata, ...rest } = editedApplication(stored)
  assert.deepEqual(metadata, { name: 'web', namespace: 'argocd', annotations: { note: 'a' } })
  assert.deepEqual(rest, { kind: 'Application', spec })
  const typed = { metadata: { name: 'web', labels: { team: 'shop' } }, spec: {} }
  assert.deepEqual(changedApplication(typed, stored), {
    metadata: {
      name: 'web',
      labels: { team: 'shop' },
      annotations: { [hydrate]: 'normal' },
      resourceVersion: '7',
    },
    spec: {},
  })
})

test('a change is of the same Application', () => {
  assert.equal(nameError({ metadata: { name: 'web' } }, stored), '')
  assert.equal(nameError({ metadata: { name: 'web', namespace: 'argocd' } }, stored), '')
  for (const metadata of [{}, { name: 'api' }, { name: 'web', namespace: 'apps' }])
    assert.match(nameError({ metadata }, stored), /cannot be changed/)
})

test('a copy has a name and a hydrated directory of its own, and nothing that belongs to the original', () => {
  const applied = { ...stored.metadata.annotations, [lastApplied]: '{}' }
  const metadata = {
    ...stored.metadata,
    annotations: applied,
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  }
  assert.deepEqual(copiedApplication({ ...stored, metadata }), {
    kind: 'Application',
    metadata: { name: 'web-copy', namespace: 'argocd', annotations: { note: 'a' } },
    spec: {
      project: 'default',
      sourceHydrator: { drySource: { path: 'web' }, syncSource: { targetBranch: 'prod', path: 'web-copy' } },
    },
  })
  assert.deepEqual(copiedApplication({ metadata: { name: 'plain' }, spec: { source: {} } }).spec, {
    source: {},
  })
})
