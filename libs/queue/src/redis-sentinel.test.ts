import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startWatchedRedis } from '@wadi/testing/redis-sentinel.ts'
import { until } from '@wadi/testing/until.ts'
import { redisAddress } from './redis-address.ts'
import { openRedisMemory } from './redis-memory.ts'
import { openRedisQueue } from './redis-queue.ts'

const skip = spawnSync('redis-server', ['--version']).status !== 0 && 'needs redis-server'

test('behind Sentinels the queue and the memory go on with the new primary', { skip }, async () => {
  await using watched = await startWatchedRedis()
  const prefix = randomUUID()
  await using queue = openRedisQueue({ url: watched.url, prefix, lockDurationMs: 1000 })
  await using memory = openRedisMemory({ url: watched.url, prefix })
  const hydrated: string[] = []
  queue.work(async (key) => void hydrated.push(key), { concurrency: 1 })
  await queue.enqueue('before')
  await until(() => hydrated.includes('before'))
  await watched.primary.kill()
  await queue.enqueue('after')
  await until(() => hydrated.includes('after'))
  assert.equal(await queue.check(), undefined)
  await until(async () => {
    await memory.remember('a', Buffer.from('b'))
    return (await memory.recall('a'))?.toString() === 'b'
  })
})

test('an address of Sentinels has hosts, account, database, their password and the name of the primary', () => {
  assert.deepEqual(
    redisAddress('rediss-sentinel://wadi:p%40ss@one,[fd00::2]:26380/3?sentinelPassword=w%23rd#my%20primary'),
    {
      kind: 'sentinels',
      options: {
        sentinels: [
          { host: 'one', port: 26_379 },
          { host: 'fd00::2', port: 26_380 },
        ],
        name: 'my primary',
        db: 3,
        username: 'wadi',
        password: 'p@ss',
        sentinelPassword: 'w#rd',
        tls: {},
        sentinelTLS: {},
        enableTLSForSentinelMode: true,
      },
    },
  )
})

test('a wrong address is an error without the password', () => {
  for (const wrong of [
    'redis-sentinel://wadi:hunter2@one:26379',
    'redis-sentinel://:hunter2@/0#name',
    'redis-cluster://:hunter2@one/1',
    'http://hunter2@one#name',
  ]) {
    assert.throws(
      () => redisAddress(wrong),
      (error: Error) => {
        assert.match(error.message, /must look like redis:\/\//)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  }
})

test('a password begins behind the first colon, as in redis:// addresses, and may have others', () => {
  for (const scheme of ['redis-sentinel', 'redis-cluster']) {
    const address = redisAddress(`${scheme}://wadi:pa:ss%3A@one${scheme === 'redis-sentinel' ? '#name' : ''}`)
    assert.ok('options' in address)
    assert.equal(address.options.username, 'wadi')
    assert.equal(address.options.password, 'pa:ss:')
  }
})

test('a stray "%" and a wrong host are errors that name them, without the password', () => {
  const wrong: Record<string, RegExp> = {
    'redis-cluster://:hunter2%@one': /"%" that begins no escape; write %25/,
    'redis-sentinel://:hunter2@one?sentinelPassword=5%#name': /write %25/,
    'redis-cluster://:hunter2@one,': /names the host ""; expected host/,
    'redis-cluster://:hunter2@one, two': /names the host " two"/,
    'redis-cluster://:hunter2@one:port': /names the host "one:port"/,
    'redis-cluster://:hunter2@one:70000': /names the host "one:70000"/,
    'redis-sentinel://:hunter2@fd00::2:26379#name': /names the host "fd00::2:26379"; .*\[address of IPv6\]/,
  }
  for (const [url, message] of Object.entries(wrong)) {
    assert.throws(
      () => redisAddress(url),
      (error: Error) => {
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  }
})
