import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespaceFiller } from './manifest-namespaces.ts'

const role = (namespace?: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'a', ...(namespace !== undefined && { namespace }) },
})

test('an object gets the namespace of the destination when its kind has namespaces elsewhere', () => {
  const fill = namespaceFiller([role('kube-system')], 'shop')
  assert.deepEqual(fill(role()), role('shop'))
  assert.deepEqual(fill(role('other')), role('other'))
})

test('a kind that is never seen with a namespace gets none, nor does one without a destination', () => {
  assert.deepEqual(namespaceFiller([role()], 'shop')(role()), role())
  assert.deepEqual(namespaceFiller([role('kube-system')], '')(role()), role())
})
