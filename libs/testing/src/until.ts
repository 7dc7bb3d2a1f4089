import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Looks again every 5 ms until the condition holds, for what no event announces.
 * @param seconds how long at most; enough for a busy machine by default
 */
export async function until(condition: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  const deadline = performance.now() + seconds * 1_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not within ${seconds} s: ${String(condition)}`)
    await delay(5)
  }
}
