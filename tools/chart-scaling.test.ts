import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedisQueue } from '@wadi/queue/redis-queue.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { renderChart } from './chart.ts'
import { readObjects } from './kubernetes-objects-fixture.ts'

const scaled = z.object({
  minReplicaCount: z.number(),
  triggers: z.array(
    z.object({
      type: z.literal('redis'),
      metadata: z.object({ listName: z.string(), listLength: z.string() }),
    }),
  ),
})
const keda = ['keda.sh/v1alpha1/ScaledObject']
const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test('KEDA counts the keys in which our queue keeps what waits and what runs', { skip }, async () => {
  const objects = readObjects(
    await renderChart({
      set: ['autoscaling.enabled=true', 'hydrator.settings.WADI_HYDRATION_CONCURRENCY=2'],
      apiVersions: keda,
    }),
    'wadi',
  )
  const { triggers, minReplicaCount } = scaled.parse(
    objects.find(({ kind }) => kind === 'ScaledObject')?.spec,
  )
  assert.equal(minReplicaCount, 1)
  assert.deepEqual(
    triggers.map(({ metadata }) => metadata.listLength),
    ['2', '10'],
  )
  const [active = '', waiting = ''] = triggers.map(({ metadata }) => metadata.listName)

  await using server = await startRedisServer()
  await using queue = openRedisQueue({ url: server.url })
  const redis = new Redis(server.url)
  try {
    for (const key of ['a', 'b', 'c']) await queue.enqueue(key)
    assert.deepEqual([await redis.zcard(waiting), await redis.llen(active)], [3, 0])
    const done = Promise.withResolvers<void>()
    await using _ = queue.work(() => done.promise, { concurrency: 2 })
    await until(async () => (await redis.llen(active)) === 2)
    assert.equal(await redis.zcard(waiting), 1)
    done.resolve()
    await until(async () => (await redis.llen(active)) === 0)
  } finally {
    redis.disconnect()
  }
})

test('without KEDA the hydrator is scaled by processor time, and no replicas are set beside a scaler', async () => {
  const scalersOf = async (apiVersions: readonly string[]) => {
    const objects = readObjects(await renderChart({ set: ['autoscaling.enabled=true'], apiVersions }), 'wadi')
    const scaledNames = new Set(['wadi-api-gateway', 'wadi-hydrator', 'wadi-repo-server'])
    for (const { kind, metadata, spec } of objects) {
      if (scaledNames.has(metadata.name) && /^(?:Deployment|StatefulSet)$/.test(kind))
        assert.ok(!Object.hasOwn(Object(spec), 'replicas'), metadata.name)
    }
    const kinds = ['HorizontalPodAutoscaler', 'ScaledObject']
    return objects
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  }
  const common = ['HorizontalPodAutoscaler wadi-api-gateway', 'HorizontalPodAutoscaler wadi-repo-server']
  assert.deepEqual(await scalersOf(keda), [...common, 'ScaledObject wadi-hydrator'])
  assert.deepEqual(
    (await scalersOf([])).toSorted(),
    [...common, 'HorizontalPodAutoscaler wadi-hydrator'].toSorted(),
  )
})
