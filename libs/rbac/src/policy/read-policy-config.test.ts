import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readPolicyConfig } from './read-policy-config.ts'

test('an empty ConfigMap has globs, groups of the claim groups, and denies that win', () => {
  assert.deepEqual(readPolicyConfig({}), {
    policy: { rules: [], grants: [] },
    defaultRole: '',
    scopes: ['groups'],
    matchMode: 'glob',
    denyWins: true,
  })
})

test('policy.csv comes first and every policy.<x>.csv by its key', () => {
  const { policy } = readPolicyConfig({
    'policy.z.csv': 'g, z, role',
    'policy.a.csv': 'g, a, role',
    'policy.csv': 'g, first, role',
    'policy.csv.backup': 'broken',
    'other.csv': 'broken',
  })
  assert.deepEqual(
    policy.grants.map(({ member, at }) => [member, at]),
    [
      ['first', 'policy.csv:1'],
      ['a', 'policy.a.csv:1'],
      ['z', 'policy.z.csv:1'],
    ],
  )
})

test('a scope that YAML 1.1 reads as a boolean or a number must be in quotes', () => {
  assert.deepEqual(readPolicyConfig({ scopes: '["on", \'0o10\', groups]' }).scopes, ['on', '0o10', 'groups'])
  for (const scopes of ['[on]', '[0o10]']) {
    const message = 'scopes:1: scopes must be a YAML list of claims, for example [groups, email]'
    assert.throws(() => readPolicyConfig({ scopes }), new InvalidInputError(message))
  }
})

test('the settings are read', () => {
  const config = readPolicyConfig({
    'policy.default': 'role:readonly',
    'policy.matchMode': 'regex',
    'policy.denyWins': 'false',
    scopes: '- groups\n- email',
  })
  assert.partialDeepStrictEqual(config, {
    defaultRole: 'role:readonly',
    matchMode: 'regex',
    denyWins: false,
    scopes: ['groups', 'email'],
  })
  assert.equal(readPolicyConfig({ 'policy.matchMode': 'Regex' }).matchMode, 'glob')
})

test('every error is reported with its place', () => {
  const data = { 'policy.csv': 'ok', scopes: 'groups', 'policy.denyWins': 'no', 'policy.b.csv': 'p, a' }
  const expected = [
    'policy.csv:1: a line must begin with p or g: "ok"',
    'policy.b.csv:1: a line with p needs subject, resource, action, object and effect, and has 1 value; a value with commas needs quotes: "p, a"',
    'scopes:1: scopes must be a YAML list of claims, for example [groups, email]',
    'policy.denyWins:1: policy.denyWins must be "true" or "false"',
  ]
  assert.throws(() => readPolicyConfig(data), new InvalidInputError(expected.join('\n')))
  assert.throws(() => readPolicyConfig({ scopes: '[a, [b]]' }), /^InvalidInputError: scopes:1: /)
  assert.throws(() => readPolicyConfig({ scopes: '[a' }), /^InvalidInputError: scopes:1: /)
})
