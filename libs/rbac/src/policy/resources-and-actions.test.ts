import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findResource, hasAction } from './resources-and-actions.ts'

test('resources are found by their names and short names', () => {
  assert.equal(findResource('applications')?.name, 'applications')
  assert.equal(findResource('repo')?.name, 'repositories')
  assert.equal(findResource('nothing'), undefined)
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
  ['secrets', 'get', true],
  ['secrets', 'update', false],
  ['settings', 'create', true],
  ['settings', 'sync', false],
] as const) {
  test(`requests to ${action} ${resource} ${expected ? 'exist' : 'do not exist'}`, () => {
    const known = findResource(resource)
    assert.ok(known)
    assert.equal(hasAction(known, action), expected)
  })
}
