import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReceivedDeliveries } from './received-deliveries.ts'

test('a delivery is known again for an hour, unless it is taken back', () => {
  let now = 0
  const deliveries = createReceivedDeliveries(() => now)
  assert.deepEqual([deliveries.add('a'), deliveries.add('a'), deliveries.add('b')], [true, false, true])
  deliveries.remove('b')
  assert.equal(deliveries.add('b'), true)
  now = 3_599_999
  assert.equal(deliveries.add('a'), false)
  now = 3_600_000
  assert.equal(deliveries.add('a'), true)
})

test('the oldest deliveries are forgotten first when there are too many', () => {
  const deliveries = createReceivedDeliveries(() => 0)
  for (let index = 0; index < 10_001; index++) assert.equal(deliveries.add(`${index}`), true)
  assert.equal(deliveries.add('10000'), false)
  assert.equal(deliveries.add('0'), true)
})
