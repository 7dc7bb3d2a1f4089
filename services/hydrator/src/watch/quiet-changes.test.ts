import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { QuietChanges } from './quiet-changes.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** Keys that were passed on, and the next one to come. */
function collector() {
  const passed: string[] = []
  let next = Promise.withResolvers<string>()
  const changes = new QuietChanges((key) => {
    passed.push(key)
    next.resolve(key)
    next = Promise.withResolvers()
  })
  return { changes, passed, next: () => next.promise }
}

test('changes that come together are passed on once, after they ended', async () => {
  const { changes, passed, next } = collector()
  using _ = changes
  const started = performance.now()
  for (let count = 0; count < 100; count++) changes.add('a')
  assert.equal(await next(), 'a')
  assert.ok(performance.now() - started > 590)
  assert.deepEqual(passed, ['a'])
})

test('branches wait for themselves alone', async () => {
  const { changes, passed, next } = collector()
  using _ = changes
  changes.add('a')
  changes.add('b')
  await next()
  if (passed.length < 2) await next()
  assert.deepEqual(passed, ['a', 'b'])
})

test('a change after a branch was passed on passes it on again', async () => {
  const { changes, passed, next } = collector()
  using _ = changes
  changes.add('a')
  await next()
  changes.add('a')
  await next()
  assert.deepEqual(passed, ['a', 'a'])
})

test('changes that never end hold a branch back for five seconds at most', async () => {
  const { changes, next } = collector()
  using _ = changes
  const stop = new AbortController()
  const deadline = AbortSignal.any([stop.signal, AbortSignal.timeout(hangLimitMs)])
  const started = performance.now()
  let added = 0
  const adding = (async () => {
    for (; !deadline.aborted; added++) {
      changes.add('a')
      await delay(50, undefined, { signal: deadline }).catch(() => undefined)
    }
  })()
  const first = await Promise.race([next(), adding])
  const milliseconds = performance.now() - started
  stop.abort()
  await adding
  assert.equal(first, 'a')
  assert.ok(milliseconds < 15_000 && added > 1)
})

test('a branch whose run begins is not passed on for the changes before it', async () => {
  const { changes, passed, next } = collector()
  using _ = changes
  changes.add('a')
  changes.drop('a')
  changes.add('b')
  assert.equal(await next(), 'b')
  changes.add('a')
  assert.equal(await next(), 'a')
  assert.deepEqual(passed, ['b', 'a'])
})

test('nothing is passed on after disposal', async () => {
  const { changes, passed } = collector()
  const other = collector()
  changes.add('a')
  changes[Symbol.dispose]()
  using _ = other.changes
  other.changes.add('later')
  await other.next()
  assert.deepEqual(passed, [])
})
