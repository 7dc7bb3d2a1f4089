import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CanceledError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { createRunSlots } from './run-slots.ts'

const { signal } = new AbortController()

test('no more than the given number run, and those that wait come in order', async () => {
  const slots = createRunSlots(2, 10)
  const first = await slots.take(signal)
  await slots.take(signal)
  const order: string[] = []
  const third = slots.take(signal).then((slot) => (order.push('third'), slot))
  const fourth = slots.take(signal).then((slot) => (order.push('fourth'), slot))
  await new Promise(setImmediate)
  assert.deepEqual(order, [])
  first.giveBack()
  const slot = await third
  assert.deepEqual(order, ['third'])
  slot.giveBack()
  await fourth
  assert.deepEqual(order, ['third', 'fourth'])
})

test('a caller that gives up waiting gets an error at once and keeps no slot', async () => {
  const slots = createRunSlots(1, 10)
  const first = await slots.take(signal)
  const caller = new AbortController()
  const waiting = slots.take(caller.signal)
  caller.abort()
  await assert.rejects(waiting, CanceledError)
  await assert.rejects(slots.take(AbortSignal.abort()), CanceledError)
  first.giveBack()
  const next = await slots.take(signal)
  next.giveBack()
})

test('a call above the bound of those that wait is refused', async () => {
  const slots = createRunSlots(1, 1)
  const first = await slots.take(signal)
  const caller = new AbortController()
  const waiting = slots.take(caller.signal)
  await assert.rejects(slots.take(signal), ResourceExhaustedError)
  caller.abort()
  await assert.rejects(waiting, CanceledError)
  const second = slots.take(signal)
  first.giveBack()
  ;(await second).giveBack()
})
