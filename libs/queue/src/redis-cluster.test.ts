import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startRedisCluster } from '@wadi/testing/redis-cluster.ts'
import { until } from '@wadi/testing/until.ts'
import { redisAddress } from './redis-address.ts'
import { openRedisMemory } from './redis-memory.ts'
import { openRedisQueue } from './redis-queue.ts'

const skip = spawnSync('redis-cli', ['--version']).status !== 0 && 'needs redis-server and redis-cli'

test(
  'in a cluster the queue and the memory find their nodes and go on with a new primary',
  { skip },
  async () => {
    await using cluster = await startRedisCluster()
    const prefix = randomUUID()
    const warnings: string[] = []
    await using queue = openRedisQueue({
      url: cluster.url,
      prefix,
      lockDurationMs: 1000,
      onEviction: (warning) => warnings.push(warning),
    })
    await using memory = openRedisMemory({ url: cluster.url, prefix })
    const hydrated: string[] = []
    queue.work(async (key) => void hydrated.push(key), { concurrency: 1 })
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const name of names) {
      await queue.enqueue(name)
      await until(async () => {
        await memory.remember(name, Buffer.from(name))
        return (await memory.recall(name))?.toString() === name
      })
    }
    await until(() => hydrated.length === names.length)
    assert.deepEqual(
      (await queue.findings()).map(({ severity }) => severity),
      ['info'],
    )

    await (await cluster.primaryOf(`{${prefix}}`)).kill()
    await queue.enqueue('after')
    await until(() => hydrated.includes('after'))
    await until(async () => (await queue.check()) === undefined)
    assert.deepEqual(warnings, [])
  },
)

test('a queue closes while no node of its cluster answers', { skip }, async () => {
  await using cluster = await startRedisCluster()
  const queue = openRedisQueue({ url: cluster.url })
  queue.work(async () => undefined, { concurrency: 1 })
  await until(async () => (await queue.check()) === undefined)
  await Promise.all(cluster.servers.map((server) => server.kill()))
  await until(async () => (await queue.check()) !== undefined)
  await queue[Symbol.asyncDispose]()
})

test('an address of a cluster has nodes and account', () => {
  assert.deepEqual(redisAddress('rediss-cluster://wadi:p%40ss@one,[fd00::2]:6380'), {
    kind: 'cluster',
    nodes: [
      { host: 'one', port: 6379 },
      { host: 'fd00::2', port: 6380 },
    ],
    options: { username: 'wadi', password: 'p@ss', tls: {} },
  })
})
