import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownRefs } from './known-refs.ts'

test('what was pushed is known on top of what the remote said before', () => {
  const known = new KnownRefs()
  assert.equal(known.refs, undefined)
  const listed = new Map([
    ['refs/heads/a', '1'],
    ['refs/heads/b', '1'],
  ])
  known.listed(listed, performance.now())
  known.pushed([{ ref: 'refs/heads/a', source: '2', expected: '1' }])
  assert.deepEqual(Object.fromEntries(known.refs ?? []), { 'refs/heads/a': '2', 'refs/heads/b': '1' })
  assert.equal(listed.get('refs/heads/a'), '1')
})

test('an answer of the remote that is older than a push does not bring its refs back', () => {
  const known = new KnownRefs()
  const askedAt = performance.now()
  known.pushed([{ ref: 'refs/heads/a', source: '2', expected: '1' }])
  known.listed(new Map([['refs/heads/a', '1']]), askedAt)
  assert.equal(known.refs?.get('refs/heads/a'), '2')
  known.listed(new Map([['refs/heads/a', '3']]), performance.now() + 1)
  assert.equal(known.refs?.get('refs/heads/a'), '3')
})

test('an answer that comes after that of a later question is left out', () => {
  const known = new KnownRefs()
  known.listed(new Map([['refs/heads/a', '2']]), 10)
  known.listed(new Map([['refs/heads/a', '1']]), 5)
  assert.equal(known.refs?.get('refs/heads/a'), '2')
})
