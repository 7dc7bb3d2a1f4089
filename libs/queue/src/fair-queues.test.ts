import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Lane } from '@wadi/concurrency/fair-order.ts'
import { redisAvailable, type RedisServer, startRedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import type { BranchQueue } from './branch-queue.ts'
import { openEmbeddedQueue } from './embedded-queue.ts'
import { openRedisQueue } from './redis-queue.ts'

describe('the embedded queue', () => {
  isFair((laneOf) => openEmbeddedQueue({ laneOf }))
  tellsTheWait(() => openEmbeddedQueue())
})

describe(
  'the queue in Redis',
  { skip: (await redisAvailable()) ? false : 'needs Docker or redis-server' },
  () => {
    let server: RedisServer
    before(async () => {
      server = await startRedisServer()
    })
    after(() => server[Symbol.asyncDispose]())
    const open = (options: { laneOf?: (key: string) => Lane } = {}) =>
      openRedisQueue({ url: server.url, prefix: randomUUID(), lockDurationMs: 1000, ...options })
    isFair((laneOf) => open({ laneOf }))
    tellsTheWait(open)
  },
)

function isFair(open: (laneOf: (key: string) => Lane) => BranchQueue): void {
  test('keys of a tenant with few go before the rest of one with many, and its repositories take turns', async () => {
    const laneOf = (key: string): Lane => ({ tenant: key.charAt(0), part: key.charAt(1), weight: 1 })
    await using queue = open(laneOf)
    const runs: string[] = []
    const gate = Promise.withResolvers<void>()
    for (let n = 0; n < 20; n++) await queue.enqueue(`ax${n}`)
    queue.work(
      async (key) => {
        runs.push(key)
        if (runs.length === 3) await gate.promise
      },
      { concurrency: 1 },
    )
    await until(() => runs.length === 3)
    for (const key of ['by0', 'ay0', 'ay1', 'ax19']) await queue.enqueue(key)
    gate.resolve()
    await until(() => runs.length === 23)
    await until(async () => (await queue.depth()).active === 0)
    assert.equal(runs[3], 'by0')
    assert.ok(runs.indexOf('ay1') < 10, runs.join(' '))
    assert.equal(runs.filter((key) => key.startsWith('ax')).join(' '), all('ax', 20))
    // Whoever had many starts like others once nothing waits.
    runs.length = 0
    for (const key of ['ax1', 'by1']) await queue.enqueue(key)
    await until(() => runs.length === 2)
  })
}

function tellsTheWait(open: () => BranchQueue): void {
  test('a handler learns for how long its key waited', async () => {
    await using queue = open()
    const enqueued = Date.now()
    await queue.enqueue('a')
    await until(() => Date.now() >= enqueued + 50)
    const { promise: waited, resolve } = Promise.withResolvers<number | undefined>()
    queue.work(async (_key, _signal, waitedMs) => resolve(waitedMs), { concurrency: 1 })
    const milliseconds = (await waited) ?? -1
    assert.ok(milliseconds > 0 && milliseconds <= Date.now() - enqueued + 1, `${milliseconds} ms`)
  })
}

function all(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, n) => `${prefix}${n}`).join(' ')
}
