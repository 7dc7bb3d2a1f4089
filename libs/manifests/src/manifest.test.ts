import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestIdentity } from './manifest.ts'

test('an identity splits the API version and leaves missing or wrongly typed fields empty', () => {
  assert.deepEqual(
    manifestIdentity({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'api', namespace: 'web' },
    }),
    { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'web', name: 'api' },
  )
  assert.deepEqual(manifestIdentity({ apiVersion: 'v1', kind: 7, metadata: { name: null } }), {
    group: '',
    version: 'v1',
    kind: '',
    namespace: '',
    name: '',
  })
  assert.equal(manifestIdentity({ metadata: ['name'] }).name, '')
})
