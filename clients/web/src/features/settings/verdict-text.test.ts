import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonText, ruleOrigin, verdictText } from './verdict-text.ts'

const sync = { resource: 'applications', action: 'sync', object: 'web/shop' }

test('a verdict is a sentence about the subject', () => {
  assert.equal(verdictText('ann', sync, true), 'ann may sync applications web/shop.')
  assert.equal(
    verdictText('role:readonly', { ...sync, object: '' }, false),
    'role:readonly may not sync all applications.',
  )
})

test('the reason is the rules that decided, or that there is none', () => {
  const allow = { effect: 'allow', identity: 'role:web' }
  assert.equal(reasonText({ allowed: true, rules: [allow] }), 'A rule allows it:')
  assert.equal(reasonText({ allowed: false, rules: [allow] }), 'This stands against it:')
  assert.equal(reasonText({ allowed: false, rules: [] }), 'No rule allows it.')
})

test('a rule says to whom it applies', () => {
  assert.equal(ruleOrigin({ effect: 'allow', identity: 'role:web' }), 'It applies to role:web')
  assert.equal(ruleOrigin({ effect: 'deny', identity: '' }), 'It applies to everybody')
  assert.match(ruleOrigin({ effect: 'unreadable', identity: 'ann' }), /cannot be read; it applies to ann$/)
})
