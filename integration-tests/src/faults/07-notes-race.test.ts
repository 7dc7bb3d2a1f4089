import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { startProcessMesh } from '../process-mesh-fixture.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test('two commit-servers that race for the notes of one repository lose none', { skip }, async (t) => {
  await using owned = new AsyncDisposableStack()
  const redis = owned.use(await startRedisServer())
  const replicas = { 'commit-server': 2, hydrator: 2, 'cmp-server': 0, 'appset-service': 0 }
  const together = ['repo-server', 'api-gateway'] as const
  const { fixture } = owned.use(await startProcessMesh({ redis: redis.url, replicas, together }))
  for (const atomic of ['true', 'false']) {
    await t.test(`atomic pushes ${atomic}`, async () => {
      const names = Array.from({ length: 8 }, (_, index) => `atomic-${atomic}-${index}`)
      const content = (value: string) =>
        Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, value)]))
      const config = { 'receive.advertiseAtomic': atomic }
      const repository = await fixture.createRepository(`noted-${atomic}`, content('1'), { config })
      const branchOf = (name: string) => `environments/${name}`
      const place = { repoURL: repository.url }
      const first = await repository.dry.head()
      await fixture.applyAndWait(first, ...names.map((name) => ({ ...place, name, branch: branchOf(name) })))
      const drySha = await repository.push(content('2'))
      await Promise.all(names.map((name) => fixture.gateway.applications.hydrateApplication({ name })))
      for (const name of names) {
        await fixture.waitFor(name, isHydratedAt(drySha))
        assert.deepEqual(JSON.parse(await repository.note(branchOf(name))), { drySha })
        assert.equal((await repository.commits(branchOf(name))).length, 2)
      }
    })
  }
})
