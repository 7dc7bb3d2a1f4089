import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectOfClaims } from './claims.ts'

test('the user is the federated one, else sub', () => {
  const claims = { sub: 'opaque', federated_claims: { user_id: 'ada' } }
  assert.equal(subjectOfClaims(claims, []).sub, 'ada')
  assert.equal(subjectOfClaims({ sub: 'ada', federated_claims: { user_id: '' } }, []).sub, 'ada')
  assert.equal(subjectOfClaims({ sub: 7 }, []).sub, '')
})

test('groups are the texts of the claims in the scopes, alone or in lists', () => {
  const claims = { sub: 'ada', groups: ['dev', 7, 'ops'], email: 'ada@example.com', roles: { a: 'b' } }
  assert.deepEqual(subjectOfClaims(claims, ['groups']).groups, ['dev', 'ops'])
  assert.deepEqual(subjectOfClaims(claims, ['email', 'roles', 'missing', '__proto__']).groups, [
    'ada@example.com',
  ])
})
