import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinManifests } from './join-manifests.ts'

test('joined objects are sorted, and of one that comes several times the last is kept and named once', () => {
  const object = (name: string, value: string, apiVersion = 'v1') => ({
    apiVersion,
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    value,
  })
  const joined = joinManifests([
    object('b', '1'),
    object('a', '1'),
    object('b', '2'),
    object('b', '3'),
    object('b', '4', 'x.io/v1'),
  ])
  assert.deepEqual(
    joined.manifests.map(({ apiVersion, value }) => [apiVersion, value]),
    [
      ['v1', '1'],
      ['v1', '3'],
      ['x.io/v1', '4'],
    ],
  )
  assert.deepEqual(joined.repeated, ['ConfigMap shop/b'])
  assert.deepEqual(joinManifests([]), { manifests: [], repeated: [] })
})
