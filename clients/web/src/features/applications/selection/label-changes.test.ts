import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelChangeText, readLabels } from './label-changes.ts'

test('labels are read as Kubernetes takes them', () => {
  assert.deepEqual(readLabels(['team=shop', 'example.com/tier=', 'team=web']), {
    labels: { team: 'web', 'example.com/tier': '' },
    error: '',
  })
  for (const wrong of ['team', '=shop', 'team=a b', 'te am=a', 'Example.com/x=1', `team=${'x'.repeat(64)}`])
    assert.match(readLabels([wrong]).error, /is not a label such as team=shop/)
  const long = readLabels([`team=${'x'.repeat(60_000)}`]).error
  assert.ok(long.length < 150, long)
})

test('a change of labels says what it does to an Application', () => {
  const changes = { labels: { team: 'web', tier: '1', area: 'eu' }, removed: ['old', 'none', 'team'] }
  const own = { team: 'shop', tier: '1', old: 'yes' }
  assert.equal(labelChangeText(own, changes), 'team=shop becomes web; area=eu is new; old=yes is removed')
  assert.equal(labelChangeText({ tier: '1' }, { labels: { tier: '1' }, removed: ['old'] }), '')
})
