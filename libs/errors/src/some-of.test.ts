import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortened, someInLine, someOf } from './some-of.ts'

test('few items are listed as they are, of many the first ones and their number', () => {
  assert.deepEqual(someOf(['a', 'b'], 2), ['a', 'b'])
  assert.deepEqual(someOf(['a', 'b', 'c', 'd'], 2), ['a', 'b', 'and 2 more'])
})

test('a long item is cut', () => {
  assert.deepEqual(someOf(['x'.repeat(1_001)], 1), [`${'x'.repeat(1_000)}…`])
})

test('within a line the others are counted after the last that is shown', () => {
  assert.equal(someInLine([], 2), '')
  assert.equal(someInLine(['a', 'b'], 2), 'a, b')
  assert.equal(someInLine(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more')
  assert.equal(someInLine(['a', 'b', 'c'], 2, '; '), 'a; b and 1 more')
})

test('a string is cut at the length that is asked for', () => {
  assert.deepEqual([shortened('abcd', 4), shortened('abcd', 3)], ['abcd', 'abc…'])
})
