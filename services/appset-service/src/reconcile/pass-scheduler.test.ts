import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PassScheduler } from './pass-scheduler.ts'

/** Passes that a test ends. */
function heldPasses(delayMs?: number) {
  const started: string[] = []
  const held: (() => void)[] = []
  let seen = Promise.withResolvers<void>()
  return {
    started,
    end: () => held.shift()?.(),
    next: () => seen.promise,
    pass: async (key: string) => {
      started.push(key)
      seen.resolve()
      seen = Promise.withResolvers()
      await new Promise<void>((resolve) => held.push(resolve))
      return delayMs
    },
  }
}

test('of several requests the earliest one applies and makes one pass', async () => {
  const passes = heldPasses()
  await using scheduler = new PassScheduler(passes.pass, 4)
  scheduler.request('a', 60_000)
  scheduler.request('a', 0)
  scheduler.request('a', 30_000)
  await passes.next()
  assert.deepEqual(passes.started, ['a'])
  passes.end()
})

test('a request during a pass makes one more pass after it', async () => {
  const passes = heldPasses()
  await using scheduler = new PassScheduler(passes.pass, 4)
  scheduler.request('a', 0)
  await passes.next()
  scheduler.request('a', 0)
  scheduler.request('a', 0)
  scheduler.request('b', 0)
  await passes.next()
  assert.deepEqual(passes.started, ['a', 'b'])
  passes.end()
  await passes.next()
  assert.deepEqual(passes.started, ['a', 'b', 'a'])
  passes.end()
  passes.end()
})

test('no more passes run at once than there may be, and the one that is longest due is next', async () => {
  const passes = heldPasses()
  await using scheduler = new PassScheduler(passes.pass, 2)
  for (const key of ['a', 'b', 'c', 'd']) scheduler.request(key, 0)
  while (passes.started.length < 2) await passes.next()
  assert.deepEqual(passes.started, ['a', 'b'])
  passes.end()
  await passes.next()
  assert.deepEqual(passes.started, ['a', 'b', 'c'])
  passes.end()
  await passes.next()
  assert.deepEqual(passes.started, ['a', 'b', 'c', 'd'])
  passes.end()
  passes.end()
})

test('a pass says when the next one is due', async () => {
  const passes = heldPasses(1)
  await using scheduler = new PassScheduler(passes.pass, 1)
  scheduler.request('a', 0)
  for (let count = 1; count <= 3; count++) {
    await passes.next()
    assert.equal(passes.started.length, count)
    if (count === 3) void scheduler[Symbol.asyncDispose]()
    passes.end()
  }
})

test('a forgotten set has no pass, also when one was requested during a pass', async () => {
  const passes = heldPasses()
  await using scheduler = new PassScheduler(passes.pass, 1)
  scheduler.request('a', 0)
  await passes.next()
  scheduler.request('a', 0)
  scheduler.request('b', 0)
  scheduler.forget('a')
  scheduler.request('c', 0)
  passes.end()
  await passes.next()
  passes.end()
  await passes.next()
  assert.deepEqual(passes.started, ['a', 'b', 'c'])
  passes.end()
})
