import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyWarnings } from './policy-warnings.ts'
import { readPolicyConfig } from './read-policy-config.ts'

function warnings(lines: string[], settings: Record<string, string> = {}): string[] {
  return policyWarnings(readPolicyConfig({ 'policy.csv': lines.join('\n'), ...settings }))
}

test('a sound policy has no warnings', () => {
  const lines = [
    'p, role:dev, applications, *, dev/*, allow',
    'p, role:dev, app*, "{get,sync}", dev/*, deny',
    'p, role:dev, *, action/*, *, allow',
    'p, role:dev, applications, update/apps/Deployment/*, dev/*, allow',
    'p, role:dev, applications, "{action,update}/*", dev/*, allow',
    'g, team, role:dev',
    'g, ops, role:admin',
    'g, role:all, role:dev',
    'g, boss, role:all',
  ]
  assert.deepEqual(warnings(lines, { 'policy.default': 'role:readonly' }), [])
})

test('unknown resources and actions are reported with the nearest name', () => {
  const lines = [
    'p, a, aplications, get, *, allow',
    'p, a, applications, snyc, *, allow',
    'p, a, logs, sync, *, allow',
    'p, a, pods, get, *, allow',
    'p, a, log?, get/*, *, allow',
  ]
  assert.deepEqual(warnings(lines), [
    'policy.csv:1: there is no resource "aplications"; did you mean applications?',
    'policy.csv:2: there is no action "snyc" for applications; did you mean sync?',
    'policy.csv:3: there is no action "sync" for logs',
    'policy.csv:4: there is no resource "pods"',
    'policy.csv:5: there is no action "get/*" for logs',
  ])
})

test('effects that do nothing and roles without any permission are reported', () => {
  const lines = ['p, a, applications, get, *, ALLOW', 'g, b, role:empty', 'g, role:empty, role:emptier']
  assert.deepEqual(warnings(lines, { 'policy.default': 'role:none' }), [
    'policy.csv:1: the effect "ALLOW" is neither allow nor deny, so the rule does nothing',
    'policy.csv:2: the role "role:empty" has no permission',
    'policy.csv:3: the role "role:emptier" has no permission',
    'policy.default: the role "role:none" has no permission',
  ])
})

test('patterns that cannot be read are reported with what follows from them', () => {
  assert.deepEqual(warnings(['p, a, applications, get, dev/[, deny']), [
    'policy.csv:1: glob "dev/[" has a class that is not closed, or is neither a list nor a single range such as [a-z]; it matches nothing',
  ])
  assert.deepEqual(warnings(['p, a, applications, get, dev/**, deny'], { 'policy.matchMode': 'regex' }), [
    'policy.csv:1: regular expression "dev/**": invalid nested repetition operator: `**`; a has no right for what the rule is about',
    'policy.matchMode: role:admin and role:readonly grant nothing, because their patterns are not regular expressions',
  ])
})
