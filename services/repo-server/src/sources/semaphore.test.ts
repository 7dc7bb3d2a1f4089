import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Semaphore } from './semaphore.ts'

const { signal } = new AbortController()

test('tasks beyond the permits wait, and start in the order in which they came', async () => {
  const semaphore = new Semaphore(2)
  const started: number[] = []
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
  const runs = ends.map(({ promise }, index) =>
    semaphore.run(signal, async () => {
      started.push(index)
      await promise
      return index
    }),
  )
  assert.deepEqual(started, [0, 1])
  ends[1]?.resolve()
  assert.equal(await runs[1], 1)
  ends[2]?.resolve()
  assert.equal(await runs[2], 2)
  assert.deepEqual(started, [0, 1, 2, 3])
  ends[0]?.resolve()
  ends[3]?.resolve()
  assert.deepEqual(await Promise.all(runs), [0, 1, 2, 3])
})

test('a task that fails gives its permit back', async () => {
  const semaphore = new Semaphore(1)
  const failing = semaphore.run(signal, async () => {
    throw new Error('no chart')
  })
  const next = semaphore.run(signal, async () => 'ran')
  await assert.rejects(failing, { message: 'no chart' })
  assert.equal(await next, 'ran')
})

test('a task whose caller went away while it waited is not started and holds no permit', async () => {
  const semaphore = new Semaphore(1)
  const first = Promise.withResolvers<void>()
  const running = semaphore.run(signal, () => first.promise)
  const caller = new AbortController()
  let started = false
  const waiting = semaphore.run(caller.signal, async () => {
    started = true
  })
  const last = semaphore.run(signal, async () => 'ran')
  caller.abort(new Error('gone'))
  first.resolve()
  await running
  await assert.rejects(waiting, { message: 'gone' })
  assert.equal(started, false)
  assert.equal(await last, 'ran')
})
