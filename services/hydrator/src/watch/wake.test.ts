import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Wake } from './wake.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const signal = AbortSignal.timeout(hangLimitMs)
const long = 60_000

/** Returns true if it is awake now, and takes the wake. */
const isAwake = (wake: Wake) => wake.wait(0, AbortSignal.abort())

test('a wish ends the pause at once when nobody called for a while, and those after it end one pause together', async () => {
  using wake = new Wake()
  for (let count = 0; count < 10; count++) wake.callAtOnce()
  assert.equal(await isAwake(wake), true)
  assert.equal(await isAwake(wake), false)
  assert.equal(await wake.wait(long, signal), true)
  await delay(300)
  assert.equal(await isAwake(wake), false)
  wake.callAtOnce()
  assert.equal(await isAwake(wake), true)
})

test('a pause that is going on ends at once', async () => {
  using wake = new Wake()
  const waiting = wake.wait(long, signal)
  wake.callAtOnce()
  const first = await Promise.race([waiting, delay(0, false)])
  assert.equal(first, true)
})

test('what is changed together ends one pause, after the last change', async () => {
  using wake = new Wake()
  for (let count = 0; count < 10; count++) wake.call()
  assert.equal(await isAwake(wake), false)
  assert.equal(await wake.wait(long, signal), true)
  await delay(300)
  assert.equal(await isAwake(wake), false)
})

for (const method of ['call', 'callAtOnce'] as const) {
  test(`wishes that never end put no poll off for ever (${method})`, async () => {
    using wake = new Wake()
    wake[method]()
    await isAwake(wake)
    using calls = interval(() => wake[method](), 5)
    assert.equal(await wake.wait(long, signal), true)
    assert.ok(calls.count > 1)
  })
}

test('a wish during a poll ends the next pause', async () => {
  using wake = new Wake()
  wake.callAtOnce()
  assert.equal(await wake.wait(long, signal), true)
  wake.call()
  await delay(300)
  assert.equal(await isAwake(wake), true)
})

/** Calls again and again until it is disposed. */
function interval(call: () => void, milliseconds: number) {
  const calls = { count: 0 }
  const timer = setInterval(() => {
    calls.count++
    call()
  }, milliseconds)
  return Object.assign(calls, { [Symbol.dispose]: () => clearInterval(timer) })
}
