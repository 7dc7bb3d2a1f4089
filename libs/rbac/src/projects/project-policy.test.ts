import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectPolicy } from './project-policy.ts'

function policyOf(roles: unknown) {
  return projectPolicy({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'dev' },
    spec: { roles },
  })
}

test('a role may get its project, and its groups have it', () => {
  const policies = ['p, proj:dev:ci, applications, sync, dev/*, allow']
  const { policy, error } = policyOf([
    { name: 'ci', policies, groups: ['team', '"cn=a,ou=b"'] },
    { name: 'idle' },
  ])
  assert.equal(error, undefined)
  assert.deepEqual(
    policy.rules.map(({ at, ...rule }) => [at, ...Object.values(rule)].join(' ')),
    [
      'AppProject dev spec.roles[0]:1 proj:dev:ci projects get dev allow',
      'AppProject dev spec.roles[0].policies[0]:1 proj:dev:ci applications sync dev/* allow',
      'AppProject dev spec.roles[1]:1 proj:dev:idle projects get dev allow',
    ],
  )
  assert.deepEqual(
    policy.grants.map(({ member, role }) => [member, role]),
    [
      ['team', 'proj:dev:ci'],
      ['cn=a,ou=b', 'proj:dev:ci'],
    ],
  )
})

test('a project without roles has no rules', () => {
  assert.deepEqual(policyOf(undefined), { name: 'dev', policy: { rules: [], grants: [] }, error: undefined })
})

test('one invalid line takes all roles of the project away, with an error that says why', () => {
  const policies = ['p, proj:dev:ci, applications, sync, dev/*, allow']
  const { policy, error } = policyOf([{ name: 'ci', policies, groups: ['cn=a,ou=b'] }])
  assert.deepEqual(policy, { rules: [], grants: [] })
  assert.match(
    error ?? '',
    /^AppProject dev spec\.roles\[0\]\.groups\[0\]:1: a line with g needs a member and a role/,
  )
  assert.equal(policyOf('ci').error, 'AppProject dev: spec.roles must be a list, not a string')
})
