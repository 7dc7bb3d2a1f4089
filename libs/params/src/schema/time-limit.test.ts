import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TookTooLongError, withinTime } from './time-limit.ts'

test('work that ends in time gives its result or its error', () => {
  assert.deepEqual(
    withinTime(1000, () => [1]),
    [1],
  )
  const error = new RangeError('mine')
  assert.throws(
    () =>
      withinTime(1000, () => {
        throw error
      }),
    (thrown) => thrown === error,
  )
})

test('work that takes too long is ended, in a regular expression too, and the next one runs', () => {
  const patient = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}b`)
  assert.throws(() => withinTime(50, patient), new TookTooLongError('took longer than 50 ms'))
  assert.equal(
    withinTime(1000, () => 2),
    2,
  )
})
