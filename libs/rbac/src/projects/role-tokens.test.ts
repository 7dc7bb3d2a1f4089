import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleTokens } from './role-tokens.ts'

const spec = { roles: [{ name: 'ci', jwtTokens: [{ iat: 7, exp: 9, id: 'old' }] }, { name: 'cd' }] }

test('tokens are those of the status, else those of the spec, and one without an id has its time', () => {
  assert.deepEqual(roleTokens({ spec }, 'ci'), [{ id: 'old', issuedAt: 7, expiresAt: 9 }])
  const status = { jwtTokensByRole: { ci: { items: [{ iat: 8 }] } } }
  assert.deepEqual(roleTokens({ spec, status }, 'ci'), [{ id: '8', issuedAt: 8, expiresAt: 0 }])
  assert.deepEqual(roleTokens({ spec, status }, 'cd'), [])
  assert.deepEqual(roleTokens({}, 'toString'), [])
})
