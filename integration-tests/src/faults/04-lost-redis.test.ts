import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { redisAvailable, startRedisServer, type RedisServer } from '@wadi/testing/redis-server.ts'
import { Redis } from 'ioredis'
import { type CrashMesh, CrashScene, startCrashMesh } from '../crash-fixture.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

const owned = new AsyncDisposableStack()
let redis: RedisServer
let mesh: CrashMesh
before(async () => {
  if (skip !== false) return
  const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-fault-')))
  redis = owned.use(await startRedisServer())
  mesh = owned.use(
    await startCrashMesh(join(directory.path, 'crash'), {
      redis: redis.url,
      // Only hydrators use Redis and are killed.
      replicas: { 'cmp-server': 0, 'appset-service': 0 },
      together: ['repo-server', 'commit-server', 'api-gateway'],
    }),
  )
})
after(() => owned.disposeAsync())

/** Returns the readiness that the hydrator reports. */
async function readiness(): Promise<[number, string]> {
  const [hydrator] = mesh.processes.hydrator
  const answer = await fetch(`${hydrator?.address}/readyz`)
  return [answer.status, await answer.text()]
}

/** Asks for a hydration, and has Redis lose something while its commit is pushed. */
async function loseWhilePushing(scene: CrashScene, loss: () => Promise<void>): Promise<void> {
  const lost = Promise.withResolvers<void>()
  mesh.git.listen(async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/git-receive-pack')) return undefined
    mesh.git.listen(undefined)
    await loss().then(lost.resolve, lost.reject)
    return undefined
  })
  await scene.ask()
  await lost.promise
}

test('a Redis that is emptied and a hydrator that is killed cost no commit', { skip }, async () => {
  const [hydrator] = mesh.processes.hydrator
  await using scene = await CrashScene.open(mesh.fixture, 'flushed')
  await mesh.crashHydratorAt('hydrateGroups')
  await scene.ask().catch(() => undefined)
  await hydrator?.ended()
  await flush(redis.url)
  await hydrator?.start()
  await scene.assertWhole()
})

for (const [name, loss] of [
  ['emptied', () => flush(redis.url)],
  ['killed and started again', () => redis.restart()],
] as const) {
  test(`a Redis that is ${name} while a commit is pushed costs no commit`, { skip }, async () => {
    await using scene = await CrashScene.open(mesh.fixture, `lost-${name.slice(0, 6)}`)
    await loseWhilePushing(scene, loss)
    await scene.ask()
    await scene.assertWhole()
  })
}

test(
  'a Redis that is emptied, killed and started again without its data costs time and no commit',
  { skip },
  async () => {
    await using scene = await CrashScene.open(mesh.fixture, 'lost-queue')
    await loseWhilePushing(scene, async () => {
      await flush(redis.url)
      await redis.kill()
    })
    const [status, reason] = await readiness()
    assert.equal(status, 503)
    assert.match(reason, /^queue: Redis /)
    await redis.restart()
    await scene.ask()
    await scene.assertWhole()
    assert.equal((await readiness())[0], 200)
  },
)

async function flush(url: string): Promise<void> {
  const client = new Redis(url)
  await client.flushall()
  client.disconnect()
}
