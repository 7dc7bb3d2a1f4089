import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { applicationNamespaces } from './application-namespaces.ts'

test('names are followed one by one, with the namespace of the control plane', () => {
  assert.deepEqual(applicationNamespaces([]), { namespaces: ['argocd'] })
  assert.deepEqual(applicationNamespaces(['team-a', 'argocd', 'team-a']), {
    namespaces: ['argocd', 'team-a'],
  })
})

for (const { patterns, within, outside } of [
  { patterns: ['team-*'], within: ['team-a', 'argocd'], outside: ['steam-a', 'default'] },
  { patterns: ['apps', '{dev,prod}-?'], within: ['apps', 'dev-1', 'argocd'], outside: ['apps-2', 'dev-10'] },
  { patterns: ['/^team-(a|b)$/'], within: ['team-a', 'team-b', 'argocd'], outside: ['team-c', 'my-team-a'] },
  { patterns: ['/team/'], within: ['steam', 'argocd'], outside: ['other'] },
  { patterns: ['*'], within: ['anything'], outside: [] },
]) {
  test(`${patterns.join(' and ')} are matched as in Argo CD`, () => {
    const followed = applicationNamespaces(patterns)
    assert.ok('isWithin' in followed)
    const names = [...within, ...outside]
    assert.deepEqual(names.filter(followed.isWithin), within)
  })
}

test('a pattern that cannot be compiled is rejected', () => {
  assert.throws(() => applicationNamespaces(['team-[']), InvalidInputError)
  assert.throws(() => applicationNamespaces(['/(/']), InvalidInputError)
})
