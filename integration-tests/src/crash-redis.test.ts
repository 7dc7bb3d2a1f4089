import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { Redis } from 'ioredis'
import { CrashScene, startCrashMesh } from './crash-fixture.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test('a queue that is lost in the middle of a run costs no commit', { skip }, async (t) => {
  await using owned = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'wadi-crash-'))
  owned.defer(() => rm(directory, { recursive: true }))
  const redis = owned.use(await startRedisServer())
  const mesh = owned.use(await startCrashMesh(join(directory, 'crash'), redis.url))

  await t.test('Redis is flushed and the hydrator killed', async () => {
    const [hydrator] = mesh.processes.hydrator
    const scene = await CrashScene.open(mesh.fixture, 'flushed')
    await mesh.crashHydratorAt('hydrateGroups')
    await scene.ask().catch(() => undefined)
    await hydrator?.ended()
    await flush(redis.url)
    await hydrator?.start()
    await scene.assertWhole()
  })

  const losses = { wiped: () => flush(redis.url), killed: () => redis.restart() }
  for (const [name, loss] of Object.entries(losses)) {
    await t.test(`Redis is ${name} while a commit is pushed`, async () => {
      const scene = await CrashScene.open(mesh.fixture, name)
      const lost = Promise.withResolvers<void>()
      mesh.git.listen(async ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/git-receive-pack')) return undefined
        mesh.git.listen(undefined)
        await loss().then(lost.resolve, lost.reject)
        return undefined
      })
      await scene.ask()
      await lost.promise
      await scene.ask()
      await scene.assertWhole()
    })
  }
})

async function flush(url: string): Promise<void> {
  const client = new Redis(url)
  await client.flushall()
  client.disconnect()
}
