import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCallClock } from './call-clock.ts'

/** Keeps this thread from its processor, as a busy machine does. */
function holdUp(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('within a call, time that the thread has no processor does not pass', () => {
  const clock = createCallClock()
  const before = clock.now()
  clock.beginCall()
  holdUp(500)
  const within = clock.now()
  assert.ok(within >= before && within - before < 250, `${within - before} ms passed`)
  clock.endCall()
  assert.ok(clock.now() - before >= 500)
})

test('work within a call takes time', () => {
  const clock = createCallClock()
  clock.beginCall()
  const begun = clock.now()
  const usage = process.threadCpuUsage()
  let used = 0
  while (used < 20_000) {
    const { user, system } = process.threadCpuUsage(usage)
    used = user + system
  }
  assert.ok(clock.now() - begun >= 19)
})
