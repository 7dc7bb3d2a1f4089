import { test } from 'node:test'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { compareReuse } from './reuse-fixture.ts'

test('a mesh that lives through random edits comes to what a new one comes to', async () => {
  await compareReuse(1, 6, 1)
})

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test('so do two hydrators that take turns and restart', { skip }, async () => {
  await compareReuse(2, 5, 2)
})
