import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findResource, hasAction, nearestName } from './resources-and-actions.ts'

test('resources are found by their names and short names', () => {
  assert.equal(findResource('applications')?.name, 'applications')
  assert.equal(findResource('repo')?.name, 'repositories')
  assert.equal(findResource('secret'), undefined)
})

for (const [resource, action, expected] of [
  ['applications', 'sync', true],
  ['applications', 'action/apps/Deployment/restart', true],
  ['applications', 'delete/*/Pod/*/*', true],
  ['applications', 'get/x', false],
  ['applications', 'action', false],
  ['applications', 'action/*', true],
  ['applicationsets', 'sync', false],
  ['logs', 'get', true],
  ['exec', 'get', false],
  ['extensions', 'invoke', true],
  ['accounts', 'update', true],
  ['certificates', 'update', false],
  ['settings', 'create', true],
  ['settings', 'sync', false],
] as const) {
  test(`requests to ${action} ${resource} ${expected ? 'exist' : 'do not exist'}`, () => {
    const known = findResource(resource)
    assert.ok(known)
    assert.equal(hasAction(known, action), expected)
  })
}

test('the nearest name is offered when it is near enough', () => {
  const names = ['get', 'sync', 'delete', 'override']
  assert.equal(nearestName('snyc', names), 'sync')
  assert.equal(nearestName('Delet', names), 'delete')
  assert.equal(nearestName('overide', names), 'override')
  assert.equal(nearestName('xyz', names), undefined)
  assert.equal(nearestName('d'.repeat(1000), names), undefined)
})
