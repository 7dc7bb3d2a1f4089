import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { Redis } from 'ioredis'
import { CrashScene, startCrashMesh } from '../crash-fixture.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test(
  'a Redis that is emptied, killed and started again without its data costs time and no commit',
  { skip },
  async () => {
    await using owned = new AsyncDisposableStack()
    const folder = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-fault-')))
    const redis = owned.use(await startRedisServer())
    const mesh = owned.use(await startCrashMesh(join(folder.path, 'crash'), redis.url))
    const [hydrator] = mesh.processes.hydrator
    const readiness = async (): Promise<[number, string]> => {
      const answer = await fetch(`${hydrator?.address}/readyz`)
      return [answer.status, await answer.text()]
    }
    const scene = await CrashScene.open(mesh.fixture, 'lost-queue')
    const lost = Promise.withResolvers<void>()
    mesh.git.listen(async ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/git-receive-pack')) return undefined
      mesh.git.listen(undefined)
      await flush(redis.url)
        .then(() => redis.kill())
        .then(lost.resolve, lost.reject)
      return undefined
    })
    await scene.ask()
    await lost.promise
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
