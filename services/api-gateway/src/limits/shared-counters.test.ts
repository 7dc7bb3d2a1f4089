import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { startRedisCluster } from '@wadi/testing/redis-cluster.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { SignInFailures } from '../sessions/sign-in-failures.ts'
import { sharedSignInFailures } from '../sessions/shared-sign-in-failures.ts'
import { createCallLimits } from './call-limits.ts'
import { openSharedCounters, type SharedCounters } from './shared-counters.ts'

const skip = (await redisAvailable()) ? false : 'there is no redis-server'
const address = '192.0.2.1'

async function openGateways(url: string, count: number) {
  await using opened = new AsyncDisposableStack()
  const lines: string[] = []
  const logger = createLogger({
    service: 'api-gateway',
    level: 'info',
    format: 'json',
    write: (line) => lines.push(line),
  })
  const gateways: SharedCounters[] = []
  for (let index = 0; index < count; index++) gateways.push(opened.use(openSharedCounters(url, logger)))
  const owned = opened.move()
  return { gateways, lines, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Waits until a gateway is connected: only then do strict counters answer. */
async function untilConnected(counters: SharedCounters): Promise<void> {
  const probe = counters.strict({ name: 'probe', points: 1, duration: 1 })
  await until(() =>
    probe.get('probe').then(
      () => true,
      () => false,
    ),
  )
}

for (const [kind, startRedis] of Object.entries({ server: startRedisServer, cluster: startRedisCluster }))
  test(`the limits apply to all gateways of a Redis ${kind} together`, { skip }, async () => {
    await using redis = await startRedis()
    await using bed = await openGateways(redis.url, 2)
    await Promise.all(bed.gateways.map(untilConnected))
    const [first, second] = bed.gateways.map((counters) =>
      createCallLimits({ perAccount: 0, perAddress: 3 }, counters),
    )
    await first?.countAnonymous(address)
    await second?.countAnonymous(address)
    await first?.countAnonymous(address)
    await assert.rejects(second?.countAnonymous(address) ?? Promise.resolve(), {
      name: 'ResourceExhaustedError',
      message: /^address 192\.0\.2\.1 has made 3 calls in a minute, which is the limit; try again in \d+ s$/,
    })
  })

test(
  'wrong passwords at one gateway make a name wait at all of them, until the right one',
  { skip },
  async () => {
    await using redis = await startRedisServer()
    await using bed = await openGateways(redis.url, 2)
    await Promise.all(bed.gateways.map(untilConnected))
    const [first, second] = bed.gateways.map((counters) =>
      sharedSignInFailures(new SignInFailures(() => true), counters),
    )
    for (let failure = 0; failure < 4; failure++) await first?.record('alice', failure)
    assert.equal(await second?.mustWait('alice', 5), false)
    await second?.record('alice', 5)
    assert.equal(await first?.mustWait('alice', 6), true)
    assert.equal(await first?.mustWait('bob', 6), false)
    await second?.forgive('alice')
    assert.equal(await first?.mustWait('alice', 7), false)
  },
)

test('while Redis is away a gateway counts for itself, at once, and says so', { skip }, async () => {
  await using redis = await startRedisServer()
  await using bed = await openGateways(redis.url, 1)
  const [counters] = bed.gateways
  assert.ok(counters)
  await untilConnected(counters)
  assert.equal(counters.problem(), undefined)
  const limits = createCallLimits({ perAccount: 0, perAddress: 2 }, counters)
  const failures = sharedSignInFailures(new SignInFailures(() => true), counters)
  await redis.kill()
  await until(() => counters.problem() !== undefined)
  await limits.countAnonymous(address)
  await limits.countAnonymous(address)
  await assert.rejects(limits.countAnonymous(address), { name: 'ResourceExhaustedError' })
  for (let failure = 0; failure < 5; failure++) await failures.record('alice', failure)
  assert.equal(await failures.mustWait('alice', 6), true)
  assert.equal(bed.lines.filter((line) => line.includes('Redis is not available')).length, 1)
  await redis.restart()
  await untilConnected(counters)
  assert.equal(counters.problem(), undefined)
})
