import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNaturally } from './natural-order.ts'

test('keys are ordered as Go orders them', () => {
  const ordered = [
    '',
    '-',
    '.',
    '_',
    '~a',
    '0',
    '00',
    '1',
    '1a',
    '2',
    '2a',
    '02',
    '10',
    'A',
    'Ab',
    'B',
    'a',
    'a ',
  ]
  const more = [
    'a-1',
    'a.1',
    'a0',
    'a00',
    'a1',
    'a01',
    'a2',
    'a10',
    'aB',
    'ab',
    'app2x',
    'app10',
    'v1',
    'v1beta1',
    'é',
  ]
  const expected = [...ordered, ...more]
  assert.deepEqual(expected.toReversed().toSorted(compareNaturally), expected)
})

test('a character beyond the basic plane comes after those within it', () => {
  assert.ok(compareNaturally('\u{1d400}', '\uff21') > 0)
  assert.ok(compareNaturally('\u{1d400}', '\u{1d401}') < 0)
})

test('a zero within a number is not a leading zero', () => {
  assert.ok(compareNaturally('a100', 'a11') > 0)
  assert.ok(compareNaturally('a001', 'a01') > 0)
})
