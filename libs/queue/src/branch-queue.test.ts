import { randomUUID } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import type { RedisServer } from '@wadi/testing/redis-server.ts'
import { openEmbeddedQueue } from './embedded-queue.ts'
import { queueContract } from './queue-contract-fixture.ts'
import { openRedisQueue } from './redis-queue.ts'

describe('the embedded queue', () => {
  queueContract((retry) => openEmbeddedQueue({ retry }))
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
    queueContract((retry) =>
      openRedisQueue({ url: server.url, prefix: randomUUID(), lockDurationMs: 1000, retry }),
    )
  },
)
