import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '@wadi/resources/resource.ts'
import { KnownObjects } from './known-objects.ts'

const owner = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'set', controller: true }

function application(parts: Partial<Resource> = {}, uid = 'u1', resourceVersion = '1'): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'a', namespace: 'argocd', resourceVersion, ownerReferences: [{ ...owner, uid }] },
    spec: { project: 'dev' },
    ...parts,
  }
}

test('a change of a status is none, and one of anything else is', () => {
  const objects = new KnownObjects()
  assert.equal(objects.note({ type: 'added', resource: application() })?.now?.owner, 'u1')
  const status = application({ status: { health: 'Degraded' } }, 'u1', '2')
  assert.equal(objects.note({ type: 'modified', resource: status }), undefined)
  const changed = application({ spec: { project: 'prod' } }, 'u1', '3')
  assert.equal(objects.note({ type: 'modified', resource: changed })?.before?.owner, 'u1')
})

test('an Application that is handed over or deleted says which set had it', () => {
  const objects = new KnownObjects()
  objects.note({ type: 'added', resource: application() })
  const handedOver = objects.note({ type: 'modified', resource: application({}, 'u2') })
  assert.deepEqual([handedOver?.before?.owner, handedOver?.now?.owner], ['u1', 'u2'])
  // A watch that fell behind knows the identity of what was deleted alone.
  const { ownerReferences: _, ...metadata } = application().metadata
  const deleted = objects.note({ type: 'deleted', resource: { ...application(), metadata } })
  assert.deepEqual([deleted?.before?.owner, deleted?.now], ['u2', undefined])
})

test('of the status of a set only the user that the set is made for matters', () => {
  const objects = new KnownObjects()
  const set = (status: Record<string, unknown>): Resource => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    status,
  })
  objects.note({ type: 'added', resource: set({}) })
  assert.equal(objects.note({ type: 'modified', resource: set({ resourcesCount: 3 }) }), undefined)
  const conditions = [{ type: 'Authorized', message: 'anna' }]
  assert.ok(objects.note({ type: 'modified', resource: set({ conditions }) }))
  const more = [...conditions, { type: 'ResourcesUpToDate', message: 'x' }]
  assert.equal(objects.note({ type: 'modified', resource: set({ conditions: more }) }), undefined)
})

test('a Secret that stops being a cluster was one', () => {
  const objects = new KnownObjects()
  const secret = (labels: Record<string, string>): Resource => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'argocd', labels },
  })
  objects.note({ type: 'added', resource: secret({ 'argocd.argoproj.io/secret-type': 'cluster' }) })
  const change = objects.note({ type: 'modified', resource: secret({}) })
  assert.deepEqual([change?.before?.isCluster, change?.now?.isCluster], [true, false])
})
