import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RepeatedLines } from './repeated-lines.ts'

test('a text is repeated for ten minutes after it was last seen', () => {
  const lines = new RepeatedLines()
  const minute = 60_000
  const times = [0, 9, 18, 29].map((minutes) => lines.isRepeated('away', minutes * minute))
  assert.deepEqual(times, [false, true, true, false])
  assert.equal(lines.isRepeated('something else', 29 * minute), false)
})

test('only the newest thousand texts are remembered', () => {
  const lines = new RepeatedLines()
  for (let line = 0; line <= 1_000; line++) lines.isRepeated(`line ${line}`, 0)
  assert.deepEqual([lines.isRepeated('line 1', 0), lines.isRepeated('line 0', 0)], [true, false])
})
