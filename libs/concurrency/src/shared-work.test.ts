import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SharedWork } from './shared-work.ts'

function controlled() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const started: AbortSignal[] = []
  const work = async (signal: AbortSignal) => {
    started.push(signal)
    signal.addEventListener('abort', () => reject(new Error('given up')))
    return promise
  }
  return { work, started, resolve, reject }
}

test('callers of one key share the work and its failure; a later one starts again', async () => {
  const shared = new SharedWork<string>('the call')
  const one = controlled()
  const callers = [1, 2, 3].map(() => shared.run('k', undefined, one.work))
  one.reject(new Error('broken'))
  for (const caller of callers) await assert.rejects(caller, /broken/)
  assert.equal(one.started.length, 1)
  assert.equal(await shared.run('k', undefined, async () => 'fresh'), 'fresh')
})

test('the work continues while one caller waits, and whoever began it stays until its end', async () => {
  const shared = new SharedWork<string>('the call')
  const one = controlled()
  const [first, second] = [new AbortController(), new AbortController()]
  let isFirstBack = false
  const began = shared.run('k', first.signal, one.work).finally(() => (isFirstBack = true))
  const joined = shared.run('k', second.signal, one.work)
  first.abort()
  await nextTurn()
  assert.deepEqual([one.started[0]?.aborted, isFirstBack], [false, false])
  one.resolve('done')
  assert.equal(await joined, 'done')
  await assert.rejects(began, { name: 'CanceledError' })
})

test('work that nobody waits for is given up, and the next caller does not get its failure', async () => {
  const shared = new SharedWork<string>('the call')
  const one = controlled()
  const [first, second] = [new AbortController(), new AbortController()]
  const callers = [shared.run('k', first.signal, one.work), shared.run('k', second.signal, one.work)]
  second.abort(new DOMException('late', 'TimeoutError'))
  first.abort()
  assert.equal(one.started[0]?.aborted, true)
  const next = shared.run('k', undefined, async () => 'next')
  await assert.rejects(callers[0] ?? Promise.resolve(), { name: 'CanceledError' })
  await assert.rejects(callers[1] ?? Promise.resolve(), { name: 'DeadlineExceededError' })
  assert.equal(await next, 'next')
  await assert.rejects(shared.run('k', first.signal, one.work), { name: 'CanceledError' })
})
