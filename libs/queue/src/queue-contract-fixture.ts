import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { until } from '@wadi/testing/until.ts'
import type { BranchQueue } from './branch-queue.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** Pauses that no test lives to see, unless a test chooses others. */
const longPauses: RetryPolicy = { attempts: 5, firstPauseMs: 600_000, maxPauseMs: 600_000 }
const shortPauses: RetryPolicy = { attempts: 3, firstPauseMs: 10, maxPauseMs: 20 }

const oneAtATime = { concurrency: 1 }

/** Tests of everything that `BranchQueue` promises, for any queue. `openWith` returns an empty one with that policy for retries. */
export function queueContract(openWith: (retry: RetryPolicy) => BranchQueue): void {
  const open = (retry = longPauses) => openWith(retry)
  test('keys run in the order of their enqueues', async () => {
    await using queue = open()
    for (const key of ['c', 'a', 'b']) await queue.enqueue(key)
    const runs: string[] = []
    queue.work(async (key) => void runs.push(key), oneAtATime)
    await until(() => runs.length === 3)
    assert.deepEqual(runs, ['c', 'a', 'b'])
  })

  test('enqueues of a waiting key fold into one run', async () => {
    await using queue = open()
    for (let i = 0; i < 10; i++) await queue.enqueue('a')
    assert.deepEqual(await queue.depth(), { waiting: 1, active: 0, delayed: 0 })
    let runs = 0
    queue.work(async () => void runs++, { concurrency: 2 })
    await until(() => runs > 0)
    await untilIdle(queue)
    assert.equal(runs, 1)
  })

  test('the states of keys are those of their jobs, over all producers', async () => {
    await using queue = open()
    assert.deepEqual(await queue.states(), new Map())
    const gate = Promise.withResolvers<void>()
    for (const key of ['fails', 'runs', 'waits']) await queue.enqueue(key)
    queue.work(async (key) => {
      if (key === 'fails') throw new UnavailableError('not now')
      await gate.promise
    }, oneAtATime)
    await until(async () => (await queue.depth()).delayed === 1 && (await queue.depth()).active === 1)
    const expected = { fails: 'delayed', runs: 'active', waits: 'waiting' }
    assert.deepEqual(Object.fromEntries(await queue.states()), expected)
    gate.resolve()
    await until(async () => (await queue.states()).size === 1)
  })

  test('enqueues of a running key make exactly one run that follows', async () => {
    await using queue = open()
    const gate = Promise.withResolvers<void>()
    const starts: number[] = []
    let running = 0
    queue.work(
      async () => {
        running++
        starts.push(running)
        await gate.promise
        running--
      },
      { concurrency: 4 },
    )
    await queue.enqueue('a')
    await until(() => starts.length === 1)
    assert.equal((await queue.depth()).active, 1)
    for (let i = 0; i < 10; i++) await queue.enqueue('a')
    gate.resolve()
    await until(() => starts.length === 2)
    await untilIdle(queue)
    assert.deepEqual(starts, [1, 1])
  })

  test('a worker runs as many keys at a time as it may', async () => {
    await using queue = open()
    const gate = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    let done = 0
    queue.work(
      async () => {
        most = Math.max(most, ++running)
        if (running === 3) gate.resolve()
        await gate.promise
        running--
        done++
      },
      { concurrency: 3 },
    )
    for (const key of ['a', 'b', 'c', 'd', 'e']) await queue.enqueue(key)
    await until(() => done === 5)
    assert.equal(most, 3)
  })

  test('a retryable error is retried after a pause until the handler succeeds', async () => {
    await using queue = open(shortPauses)
    let runs = 0
    queue.work(async () => {
      if (++runs < 3) throw new UnavailableError('the git server does not answer')
    }, oneAtATime)
    await queue.enqueue('a')
    await until(() => runs === 3)
    await untilIdle(queue)
    assert.equal(runs, 3)
  })

  test('after the last attempt a key rests until it is enqueued again, then with all attempts', async () => {
    await using queue = open(shortPauses)
    let runs = 0
    queue.work(async () => {
      runs++
      throw new TypeError('a defect')
    }, oneAtATime)
    await queue.enqueue('a')
    await until(() => runs === 3)
    await untilIdle(queue)
    assert.equal(runs, 3)
    await queue.enqueue('a')
    await until(() => runs === 6)
    await untilIdle(queue)
    assert.equal(runs, 6)
  })

  test('an error that is not retryable is not retried until the key is enqueued again', async () => {
    await using queue = open(shortPauses)
    let runs = 0
    queue.work(async () => {
      runs++
      throw new FailedPreconditionError('the branch is protected')
    }, oneAtATime)
    await queue.enqueue('a')
    await until(() => runs === 1)
    await untilIdle(queue)
    await queue.enqueue('a')
    await until(() => runs === 2)
    await untilIdle(queue)
    assert.equal(runs, 2)
  })

  test('an enqueue during the pause before a retry runs the key at once', async () => {
    await using queue = open()
    let runs = 0
    queue.work(async () => {
      if (++runs === 1) throw new UnavailableError('the git server does not answer')
    }, oneAtATime)
    await queue.enqueue('a')
    await until(async () => (await queue.depth()).delayed === 1)
    await queue.enqueue('a')
    await until(() => runs === 2)
    await untilIdle(queue)
    assert.equal(runs, 2)
  })

  test('an enqueue during a run that then fails runs the key at once, and once', async () => {
    await using queue = open()
    const gate = Promise.withResolvers<void>()
    let runs = 0
    queue.work(
      async () => {
        if (++runs > 1) return
        await gate.promise
        throw new UnavailableError('the git server does not answer')
      },
      { concurrency: 2 },
    )
    await queue.enqueue('a')
    await until(() => runs === 1)
    await queue.enqueue('a')
    gate.resolve()
    await until(() => runs === 2)
    await untilIdle(queue)
    assert.equal(runs, 2)
  })

  test('a failing key does not hold up others', async () => {
    await using queue = open()
    const runs: string[] = []
    queue.work(async (key) => {
      runs.push(key)
      if (key === 'poison') throw new Error('always')
    }, oneAtATime)
    await queue.enqueue('poison')
    await queue.enqueue('b')
    await until(() => runs.includes('b'))
    assert.deepEqual(runs, ['poison', 'b'])
  })

  test('disposing a worker waits for its running handler and leaves the rest', async () => {
    await using queue = open()
    const gate = Promise.withResolvers<void>()
    const events: string[] = []
    const worker = queue.work(async (key) => {
      events.push(`start ${key}`)
      await gate.promise
      events.push(`end ${key}`)
    }, oneAtATime)
    await queue.enqueue('a')
    await until(() => events.length === 1)
    await queue.enqueue('b')
    const disposed = worker[Symbol.asyncDispose]().then(() => events.push('disposed'))
    gate.resolve()
    await disposed
    assert.deepEqual(events, ['start a', 'end a', 'disposed'])
    assert.deepEqual(await queue.depth(), { waiting: 1, active: 0, delayed: 0 })
  })

  test('the end of patience aborts the running handler, and its key waits for another worker', async () => {
    await using queue = open()
    const patience = new AbortController()
    const started = Promise.withResolvers<void>()
    const worker = queue.work(
      (_key, signal) => {
        started.resolve()
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')))
        })
      },
      { concurrency: 1, signal: patience.signal },
    )
    await queue.enqueue('a')
    await started.promise
    patience.abort()
    await worker[Symbol.asyncDispose]()
    assert.deepEqual(await queue.depth(), { waiting: 1, active: 0, delayed: 0 })
    const runs: string[] = []
    queue.work(async (key) => void runs.push(key), oneAtATime)
    await until(() => runs.length === 1)
  })

  test('a closed queue refuses keys', async () => {
    const queue = open()
    await queue.enqueue('a')
    await queue[Symbol.asyncDispose]()
    await assert.rejects(queue.enqueue('b'), UnavailableError)
  })

  test('of 300 enqueues over 5 keys no two runs of a key overlap and the last is followed by a run', async () => {
    await using queue = open()
    const enqueued = new Map<string, number>()
    const seen = new Map<string, number>()
    const running = new Set<string>()
    let overlaps = 0
    let runs = 0
    const handler = async (key: string) => {
      if (running.has(key)) overlaps++
      running.add(key)
      runs++
      seen.set(key, enqueued.get(key) ?? 0)
      await pause(Math.random() * 5)
      running.delete(key)
    }
    queue.work(handler, { concurrency: 3 })
    queue.work(handler, { concurrency: 3 })
    for (let i = 1; i <= 300; i++) {
      const key = `key-${i % 5}`
      enqueued.set(key, i)
      await queue.enqueue(key)
      if (i % 10 === 0) await pause(Math.random() * 5)
    }
    await untilIdle(queue)
    assert.equal(overlaps, 0)
    assert.deepEqual(seen, enqueued)
    assert.ok(runs <= 300, `${runs} runs`)
  })
}

async function untilIdle(queue: BranchQueue): Promise<void> {
  await until(async () => {
    const { waiting, active, delayed } = await queue.depth()
    return waiting + active + delayed === 0
  })
}
