import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'
const canary = 'canary-manifest-41c7'

test(
  'what is forged in Redis changes no branch, and no manifest or credential is there',
  { skip },
  async () => {
    await using redis = await startRedisServer()
    await using mesh = await startMeshFixture({ redis: redis.url })
    const { fixture } = mesh
    const repository = await fixture.createRepository('forged', { 'forged/a.yaml': configMap('a', canary) })
    const branch = 'environments/forged'
    const drySha = await repository.dry.head()
    await fixture.applyAndWait(drySha, { name: 'forged', repoURL: repository.url, branch })
    const commits = await repository.commits(branch)
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null })
    const queue = new Queue('hydrated-branches', { connection, prefix: 'wadi' })
    const own = branchKey(repository.url, branch)
    const forged = [
      { key: '../../etc/passwd' },
      { key: branchKey(repository.url, 'main') },
      { key: own, drySha: '0'.repeat(40), manifests: ['{"kind":"Secret"}'], branch: 'main' },
      {},
    ]
    for (const data of forged) await queue.add('hydrate', data)
    const second = await repository.push({ 'forged/a.yaml': configMap('a', `${canary}-2`) })
    await fixture.hydrateTo(second, 'forged')
    assert.deepEqual((await repository.commits(branch)).slice(1), commits)
    assert.equal(await repository.head('main'), second)
    assert.deepEqual(await repository.hydratedBranches(), [branch])
    const stored: string[] = []
    for (const key of await connection.keys('*')) stored.push(key, (await connection.dump(key)) ?? '')
    assert.ok(stored.length > 0)
    for (const secret of [canary, 'pass/word']) assert.ok(!stored.join('\n').includes(secret), secret)
    await queue.close()
    connection.disconnect()
  },
)
