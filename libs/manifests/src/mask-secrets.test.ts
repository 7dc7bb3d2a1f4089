import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from './manifest.ts'
import { blankSecret, maskedSecrets } from './mask-secrets.ts'

const secret = (data: Manifest, annotations: Manifest = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'web', annotations },
  data,
})

test('values of a Secret are masked so that equal ones stay equal and others differ', () => {
  const [before, after] = maskedSecrets(
    secret({ same: 'YQ==', other: 'Yg==' }),
    secret({ same: 'YQ==', other: 'Yw==' }),
  )
  assert.deepEqual(before?.['data'], { same: '++++++++', other: '++++++++' })
  assert.deepEqual(after?.['data'], { same: '++++++++', other: '+++++++++' })
})

test('the copy that kubectl keeps of a Secret is masked, and a Secret on one side alone', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration'
  const [before, after] = maskedSecrets(undefined, secret({ a: 'YQ==' }, { [key]: '{"data":{"a":"YQ=="}}' }))
  assert.equal(before, undefined)
  assert.ok(!JSON.stringify(after).includes('YQ=='))
})

test('what is not a Secret is kept', () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }
  const custom = { apiVersion: 'example.com/v1', kind: 'Secret', data: { a: 'b' } }
  assert.deepEqual(maskedSecrets(configMap, custom), [configMap, custom])
})

test('a blank Secret says which keys it has and nothing of their values', () => {
  assert.deepEqual(blankSecret(secret({ a: 'YQ==', b: 'Yg==' }))['data'], { a: '++++++++', b: '++++++++' })
  assert.deepEqual(blankSecret(secret({ a: 'YQ==' })), blankSecret(secret({ a: 'Yg==' })))
})
