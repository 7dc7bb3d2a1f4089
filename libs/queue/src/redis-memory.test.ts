import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import type { RedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { openFailFastRedis } from './redis-connection.ts'
import { openRedisMemory } from './redis-memory.ts'
import { openSingleMemory, type SharedMemory } from './shared-memory.ts'

test('a single process has every claim', async () => {
  await using memory = openSingleMemory()
  assert.equal(await memory.claim('poll', 60_000), 0)
  assert.equal(await memory.claim('poll', 60_000), 0)
  await memory.remember('a', Buffer.from('x'))
  assert.equal(await memory.recall('a'), undefined)
})

describe('with a Redis', { skip: (await redisAvailable()) ? false : 'needs Docker or redis-server' }, () => {
  let server: RedisServer
  before(async () => {
    server = await startRedisServer()
  })
  after(() => server[Symbol.asyncDispose]())

  /** Two memories that share a prefix of their own, both connected. */
  async function openPair() {
    const prefix = randomUUID()
    const first = openRedisMemory({ url: server.url, prefix })
    const second = openRedisMemory({ url: server.url, prefix })
    for (const memory of [first, second]) await untilConnected(memory)
    return {
      prefix,
      first,
      second,
      [Symbol.asyncDispose]: async () => {
        await first[Symbol.asyncDispose]()
        await second[Symbol.asyncDispose]()
      },
    }
  }

  test('one process has a claim until its time is over', async () => {
    await using pair = await openPair()
    assert.equal(await pair.first.claim('poll', 300), 0)
    const left = await pair.second.claim('poll', 300)
    assert.ok(left > 0 && left <= 300, String(left))
    assert.equal(await pair.second.claim('other', 300), 0)
    await until(async () => (await pair.second.claim('poll', 60_000)) === 0)
    assert.ok((await pair.first.claim('poll', 300)) > 300)
  })

  test('one process holds a piece of work until it lets go of it, also beyond its time', async (context) => {
    await using pair = await openPair()
    context.mock.timers.enable({ apis: ['setInterval'] })
    const held = await pair.first.hold('review', 60_000)
    assert.ok(held)
    assert.equal(await pair.second.hold('review', 60_000), undefined)
    const redis = openFailFastRedis(server.url)
    const key = `${pair.prefix}:held:review`
    await until(async () => (await redis.pexpire(key, 30_000).catch(() => 0)) === 1)
    context.mock.timers.tick(20_000)
    await until(async () => (await redis.pttl(key)) > 30_000)
    redis.disconnect()
    await held[Symbol.asyncDispose]()
    await using next = await pair.second.hold('review', 60_000)
    assert.ok(next)
  })

  test('what one process remembers, another recalls, and nothing that is too large', async () => {
    await using pair = await openPair()
    const value = randomBytes(100)
    await pair.first.remember('branch', value)
    assert.deepEqual(await pair.second.recall('branch'), value)
    assert.equal(await pair.second.recall('another'), undefined)
    await pair.first.remember('large', Buffer.alloc(5 * 1024 * 1024))
    assert.equal(await pair.second.recall('large'), undefined)
  })

  test('while Redis is away every process has every claim, at once', async () => {
    await using pair = await openPair()
    await pair.first.claim('poll', 60_000)
    await server.kill()
    await until(async () => (await pair.second.claim('poll', 60_000)) === 0)
    assert.equal(await pair.first.recall('branch'), undefined)
    await pair.first.remember('branch', Buffer.from('x'))
    await server.restart()
    await untilConnected(pair.first)
  })
})

/** Before it is connected, a memory recalls nothing. */
async function untilConnected(memory: SharedMemory): Promise<void> {
  await until(async () => {
    await memory.remember('connected', Buffer.from('yes'))
    return (await memory.recall('connected')) !== undefined
  })
}
