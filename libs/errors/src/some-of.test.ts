import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOf } from './some-of.ts'

test('few items are listed as they are, of many the first ones and their number', () => {
  assert.deepEqual(someOf(['a', 'b'], 2), ['a', 'b'])
  assert.deepEqual(someOf(['a', 'b', 'c', 'd'], 2), ['a', 'b', 'and 2 more'])
})

test('a long item is cut', () => {
  assert.deepEqual(someOf(['x'.repeat(1_001)], 1), [`${'x'.repeat(1_000)}…`])
})
