import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTcpRelay } from '@wadi/testing/kubernetes-api/tcp-relay.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { openRedisConnection } from './redis-connection.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test('a command to a Redis whose machine is gone is sent again on another connection', { skip }, async () => {
  await using server = await startRedisServer()
  await using relay = await startTcpRelay(Number(new URL(server.url).port))
  const address = new URL(server.url)
  address.port = String(relay.port)
  const connection = openRedisConnection(address.href, 200)
  connection.on('error', () => undefined)
  try {
    await connection.set('key', 'value')
    relay.freeze()
    const answer = connection.get('key')
    await until(() => relay.accepted > 1)
    relay.thaw()
    assert.equal(await answer, 'value')
  } finally {
    connection.disconnect()
  }
})
