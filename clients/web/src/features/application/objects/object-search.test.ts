import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectKey, objectOfKey, readObjectSearch } from './object-search.ts'

test('an object has one name in addresses, from which it is read again', () => {
  const objects = [
    { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' },
    { group: '', kind: 'Secret', namespace: '', name: 'a.b' },
    { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', namespace: '', name: 'system:a/b' },
    { group: '', kind: 'Job', namespace: 'shop', name: '' },
  ]
  for (const object of objects) assert.deepEqual(objectOfKey(objectKey(object)), object)
  for (const key of ['', 'Deployment', '/shop/web', '.apps/shop/web'])
    assert.equal(objectOfKey(key), undefined)
})

test('what an address does not know is left out', () => {
  assert.deepEqual(readObjectSearch({ view: 'list', text: '', kind: [7], within: 'shop', object: 'web' }), {
    view: undefined,
    text: undefined,
    kind: undefined,
    within: ['shop'],
    object: undefined,
  })
  assert.equal(readObjectSearch({ view: 'yaml' }).view, 'yaml')
})
