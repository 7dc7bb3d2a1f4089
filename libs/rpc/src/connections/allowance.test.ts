import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAllowance } from './allowance.ts'

test('a burst may be used at once, and then what comes back each second', () => {
  let now = 0
  const use = createAllowance({ burst: 3, perSecond: 2 }, () => now)
  assert.deepEqual([use(), use(), use(), use()], [true, true, true, false])
  now += 400
  assert.equal(use(), false)
  now += 600
  assert.deepEqual([use(), use(), use()], [true, true, false])
  now += 60_000
  assert.deepEqual([use(), use(), use(), use()], [true, true, true, false])
})
