import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReviewPool } from './review-pool.ts'

/** A review that ends when the test says so, or given up. */
function heldReview() {
  const started = Promise.withResolvers<AbortSignal>()
  const ended = Promise.withResolvers<number>()
  const review = async (signal: AbortSignal): Promise<number> => {
    started.resolve(signal)
    signal.addEventListener('abort', () => ended.resolve(Infinity), { once: true })
    return ended.promise
  }
  return { review, started: started.promise, end: ended.resolve }
}

test('a version is reviewed once, and again when its review asks for it', async () => {
  await using pool = new ReviewPool()
  const runs: string[] = []
  const submit = async (version: string, rest: number): Promise<void> => {
    const ran = Promise.withResolvers<void>()
    pool.submit('a', version, async () => {
      runs.push(version)
      ran.resolve()
      return rest
    })
    await Promise.race([ran.promise, new Promise((resolve) => setImmediate(resolve))])
    await new Promise((resolve) => setImmediate(resolve))
  }
  await submit('1', 0)
  await submit('1', Infinity)
  await submit('1', Infinity)
  await submit('2', Infinity)
  assert.deepEqual(runs, ['1', '1', '2'])
})

test('a new head ends the review of the old one, and one that is closed ends too', async () => {
  await using pool = new ReviewPool()
  const [old, next, other] = [heldReview(), heldReview(), heldReview()]
  pool.submit('a\n1', '1', old.review)
  pool.submit('a\n2', '1', other.review)
  const signal = await old.started
  pool.submit('a\n1', '2', next.review)
  assert.equal(signal.aborted, true)
  assert.equal((await next.started).aborted, false)
  pool.keepOnly('a\n', new Set(['a\n1']))
  assert.equal((await other.started).aborted, true)
  assert.equal((await next.started).aborted, false)
  pool.keepOnly('b\n', new Set())
  assert.equal((await next.started).aborted, false)
})

test('what waits for its turn when the pool is closed never begins', async () => {
  const held = [heldReview(), heldReview()]
  let began = false
  {
    await using pool = new ReviewPool()
    for (const [index, { review }] of held.entries()) pool.submit(`${index}`, '1', review)
    pool.submit('third', '1', async () => {
      began = true
      return Infinity
    })
    await Promise.all(held.map(({ started }) => started))
  }
  assert.equal(began, false)
})
