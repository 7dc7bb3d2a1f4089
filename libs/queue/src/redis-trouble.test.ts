import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import {
  redisAvailable,
  type RedisServer,
  type RedisServerOptions,
  startRedisServer,
} from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { openRedisQueue } from './redis-queue.ts'

describe('with a Redis', { skip: (await redisAvailable()) ? false : 'needs Docker or redis-server' }, () => {
  const unusable: Record<
    string,
    { setup: RedisServerOptions; commands: [string, ...string[]][]; scheme?: string; cause: RegExp }
  > = {
    'in cluster mode under the address of a single one': {
      setup: { cluster: true },
      commands: [['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']],
      cause: /cluster mode.*write redis-cluster:\/\/ in place of redis:\/\//,
    },
    'in cluster mode that asks for a password': {
      setup: { cluster: true },
      commands: [
        ['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'],
        ['CONFIG', 'SET', 'requirepass', 'x'],
      ],
      scheme: 'redis-cluster:',
      cause: /asks for a password/,
    },
    'that is a replica': {
      setup: {},
      commands: [['REPLICAOF', '127.0.0.1', '1']],
      cause: /names a replica.*name the primary/,
    },
    'that asks for a password': {
      setup: {},
      commands: [['CONFIG', 'SET', 'requirepass', 'x']],
      cause: /asks for a password/,
    },
    'that is full': {
      setup: {},
      commands: [['CONFIG', 'SET', 'maxmemory', '1']],
      cause: /is full: raise its maxmemory/,
    },
  }
  for (const [name, { setup, commands, scheme = 'redis:', cause }] of Object.entries(unusable)) {
    test(`a Redis ${name} is reported once with what to do, by readiness and by who queues`, async () => {
      await using strict = await startRedisServer(setup)
      const lines: string[] = []
      const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
      for (const words of commands) await command(strict, ...words)
      await using queue = openRedisQueue({ url: strict.url.replace('redis:', scheme), logger })
      queue.work(async () => undefined, { concurrency: 4 })
      await until(async () => cause.test((await queue.check()) ?? ''))
      await assert.rejects(queue.enqueue('a'), (error) => {
        return error instanceof UnavailableError && cause.test(error.message)
      })
      // Several looks later there is nothing new to say.
      for (let look = 0; look < 20; look++) await queue.check()
      const said = lines.filter((line) => cause.test(line))
      assert.equal(said.length, 1, lines.join(''))
      assert.ok(lines.length < 10, lines.join(''))
    })
  }

  test('a Redis in cluster mode is of use with a prefix in braces', async () => {
    await using cluster = await startRedisServer({ cluster: true })
    await command(cluster, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await using queue = openRedisQueue({ url: cluster.url, prefix: '{wadi}' })
    const runs: string[] = []
    queue.work(async (key) => void runs.push(key), { concurrency: 2 })
    await until(async () => (await queue.check()) === undefined)
    await queue.enqueue('a')
    await queue.enqueue('b')
    await until(() => runs.length === 2)
    assert.deepEqual(runs.toSorted(), ['a', 'b'])
  })

  test('a worker goes on when a replica becomes the primary', async () => {
    await using failedOver = await startRedisServer()
    await command(failedOver, 'REPLICAOF', '127.0.0.1', '1')
    await using queue = openRedisQueue({ url: failedOver.url })
    const runs: string[] = []
    queue.work(async (key) => void runs.push(key), { concurrency: 1 })
    await until(async () => (await queue.check()) !== undefined)
    await command(failedOver, 'REPLICAOF', 'NO', 'ONE')
    await until(async () => (await queue.check()) === undefined)
    await queue.enqueue('a')
    await until(() => runs.length === 1)
  })
})

async function command(server: RedisServer, name: string, ...arguments_: string[]): Promise<unknown> {
  const client = new Redis(server.url)
  const answer = await client.call(name, ...arguments_)
  client.disconnect()
  return answer
}
