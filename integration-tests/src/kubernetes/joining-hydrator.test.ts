import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { CountedServices } from './counts-fixture.ts'
import { waitingRenderer } from './waiting-renderer-fixture.ts'

const skip = (await redisAvailable()) ? false : 'there is no Redis'
const branches = 4

test('a new hydrator gets work while another one is busy', { skip }, async () => {
  const released = Promise.withResolvers<void>()
  let begun = 0
  let isHolding = false
  const renderer = waitingRenderer(async () => {
    begun++
    if (isHolding) await released.promise
  })
  await using owned = new AsyncDisposableStack()
  const services = owned.use(
    await CountedServices.start({
      WADI_POLL_INTERVAL: '300ms',
      WADI_HYDRATION_CONCURRENCY: '1',
      WADI_RENDER_PARALLELISM: String(branches),
    }),
  )
  await services.addRepoServer({ renderers: [renderer] })
  const push = await services.addRepository('dry', branches, (application) => `environments/${application}`)
  owned.use(await services.startHydratorIn('busy'))
  await services.hydratedAt([await push()], branches)

  // A run that ends without a render would let it take more.
  await services.resting()
  begun = 0
  isHolding = true
  const newest = await push()
  try {
    await until(() => begun === 1)
    // It has taken one branch more for the time when this one is rendered; the others wait for somebody who is free.
    await services.resting()
    assert.equal(begun, 1)
    owned.use(await services.startHydratorIn('new'))
    await until(() => begun === 2)
  } finally {
    released.resolve()
  }
  await services.hydratedAt([newest], branches)
  assert.equal(begun, branches)
})
