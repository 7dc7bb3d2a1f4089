import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoalescingQueue } from './coalescing-queue.ts'

/** Work that notes when it began and ends when it is let or aborted. */
function controlled(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const started = Promise.withResolvers<AbortSignal>()
  const work = async (signal: AbortSignal) => {
    begun.push(name)
    started.resolve(signal)
    signal.addEventListener('abort', () => reject(signal.reason))
    return promise
  }
  return { work, started: started.promise, end: resolve, fail: reject }
}

test('a caller joins work that waits, but not work that has begun', async () => {
  const queue = new CoalescingQueue('git fetch')
  const begun: string[] = []
  const [first, second, third] = ['first', 'second', 'third'].map((name) => controlled(begun, name))
  assert.ok(first && second && third)
  const running = queue.run('main', first.work)
  await first.started
  const waiting = queue.run('main', second.work)
  const joined = queue.run('main', third.work)
  assert.deepEqual(begun, ['first'])
  first.end()
  await running
  await second.started
  second.end()
  await Promise.all([waiting, joined])
  assert.deepEqual(begun, ['first', 'second'])
})

test('one piece runs at a time, and a failure reaches its own callers alone', async () => {
  const queue = new CoalescingQueue('git fetch')
  const begun: string[] = []
  const [one, other] = [controlled(begun, 'one'), controlled(begun, 'other')]
  const failing = queue.run('one', one.work)
  const later = queue.run('other', other.work)
  await one.started
  assert.deepEqual(begun, ['one'])
  one.fail(new Error('broken'))
  await assert.rejects(failing, { message: 'broken' })
  other.end()
  await later
  await queue.idle()
  assert.deepEqual(begun, ['one', 'other'])
})

test('work is aborted when the last of its callers has given up', async () => {
  const queue = new CoalescingQueue('git fetch')
  const begun: string[] = []
  const [busy, shared] = [controlled(begun, 'busy'), controlled(begun, 'shared')]
  const before = queue.run('busy', busy.work)
  const callers = [new AbortController(), new AbortController()]
  const [left, stayed] = callers.map(({ signal }) => queue.run('shared', shared.work, signal))
  callers[0]?.abort()
  await assert.rejects(left ?? Promise.resolve(), { message: 'git fetch was canceled' })
  busy.end()
  await before
  const signal = await shared.started
  assert.equal(signal.aborted, false)
  callers[1]?.abort()
  await assert.rejects(stayed ?? Promise.resolve(), { name: 'CanceledError' })
  assert.equal(signal.aborted, true)
  await queue.idle()
})

test('work that everybody gave up while it waited does not begin, and the next caller has its own', async () => {
  const queue = new CoalescingQueue('git fetch')
  const begun: string[] = []
  const [busy, given, fresh] = ['busy', 'given', 'fresh'].map((name) => controlled(begun, name))
  assert.ok(busy && given && fresh)
  const before = queue.run('busy', busy.work)
  const caller = new AbortController()
  const abandoned = queue.run('main', given.work, caller.signal)
  caller.abort()
  await assert.rejects(abandoned, { name: 'CanceledError' })
  const next = queue.run('main', fresh.work)
  busy.end()
  fresh.end()
  await Promise.all([before, next])
  assert.deepEqual(begun, ['busy', 'fresh'])
})
