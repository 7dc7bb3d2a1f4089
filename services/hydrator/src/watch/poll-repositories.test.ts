import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmbeddedQueue } from '@wadi/queue/embedded-queue.ts'
import { openRedisMemory } from '@wadi/queue/redis-memory.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { application, startRunFixture } from '../run/run-fixture.ts'
import { pollRepositories } from './poll-repositories.ts'
import { Wake } from './wake.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'
const intervalMs = 250

async function startPolling(count: number, url: string) {
  let asked = 0
  const fixture = await startRunFixture({
    repoServer: {
      resolveRevisions: () => {
        asked++
        return {}
      },
    },
    commitServer: { listBranchHeads: () => ({}) },
  })
  await fixture.add(application('web'))
  const hydrators = Array.from({ length: count }, () => {
    const stop = new AbortController()
    const memory = openRedisMemory({ url })
    const wake = new Wake()
    const queue = openEmbeddedQueue()
    const polling = pollRepositories(fixture.context, queue, { intervalMs, wake, memory }, stop.signal)
    return {
      wake,
      end: async () => {
        stop.abort()
        await polling
        await memory[Symbol.asyncDispose]()
      },
    }
  })
  await until(() => asked >= count)
  return {
    hydrators,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      for (const { end } of hydrators) await end()
      await fixture[Symbol.asyncDispose]()
    },
  }
}

test(
  'after their starts, four hydrators ask for a repository once per interval together',
  { skip },
  async () => {
    await using redis = await startRedisServer()
    await using bed = await startPolling(4, redis.url)
    const startedAt = performance.now()
    const before = bed.asked()
    await until(() => bed.asked() >= before + 8)
    const intervals = (performance.now() - startedAt) / intervalMs
    assert.ok(
      bed.asked() - before <= intervals + 1,
      `${bed.asked() - before} polls in ${intervals} intervals`,
    )
  },
)

test('the others go on when the hydrator that polled is gone', { skip }, async () => {
  await using redis = await startRedisServer()
  await using bed = await startPolling(2, redis.url)
  for (const { end } of bed.hydrators.slice(0, 1)) await end()
  const before = bed.asked()
  await until(() => bed.asked() >= before + 3)
})

test('a hydrator that is woken polls, whoever has the interval', { skip }, async () => {
  await using redis = await startRedisServer()
  await using bed = await startPolling(2, redis.url)
  const other = openRedisMemory({ url: redis.url })
  await until(async () => (await other.claim('poll', 60_000)) === 0)
  await other[Symbol.asyncDispose]()
  const before = bed.asked()
  bed.hydrators[0]?.wake.call()
  await until(() => bed.asked() > before)
})
