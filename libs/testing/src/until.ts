import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { hangLimitMs } from './hang-limit.ts'

/** Looks again every 5 ms until the condition holds, for what no event announces. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + hangLimitMs
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not within ${hangLimitMs} ms: ${String(condition)}`)
    await delay(5)
  }
}
