import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeManifest, manifestIdentity } from './manifest.ts'

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

test('a description names type and place', () => {
  const metadata = { name: 'api', namespace: 'web' }
  assert.equal(
    describeManifest({ apiVersion: 'apps/v1', kind: 'Deployment', metadata }),
    'apps/Deployment web/api',
  )
  assert.equal(
    describeManifest({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } }),
    'Namespace web',
  )
  assert.equal(describeManifest({ apiVersion: 'v1', kind: 'Pod' }), 'Pod (no name)')
})
