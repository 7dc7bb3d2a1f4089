import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { configMap } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { type ServiceProcess, startProcessMesh } from './process-mesh-fixture.ts'

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test(
  'two of each worker share the work over Redis and refuse callers without an identity',
  { skip },
  async (t) => {
    await using redis = await startRedisServer()
    await using mesh = await startProcessMesh({
      replicas: { 'repo-server': 2, 'commit-server': 2, hydrator: 2 },
      redis: redis.url,
      // One branch at a time for each hydrator, so that two branches at a time need both.
      environment: { WADI_HYDRATION_CONCURRENCY: '1' },
    })
    const { fixture, processes } = mesh

    await t.test('two branches are hydrated at the same time by two hydrators', async () => {
      const names = ['left', 'right']
      const repositories = await Promise.all(
        names.map((name) => fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })),
      )
      const pushing = new Set<string>()
      const both = Promise.withResolvers<void>()
      mesh.git.listen(async ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/git-receive-pack')) return undefined
        pushing.add(path)
        if (pushing.size === names.length) both.resolve()
        await both.promise
        return undefined
      })
      for (const [index, name] of names.entries()) {
        await fixture.apply({ name, repoURL: repositories[index]?.url ?? '', branch: 'environments/prod' })
      }
      for (const [index, name] of names.entries()) {
        const repository = repositories[index]
        assert.ok(repository)
        await fixture.waitFor(name, isHydratedAt(await repository.dry.head()))
        assert.equal((await repository.commits('environments/prod')).length, 1)
      }
      mesh.git.listen(undefined)
      for (const hydrator of processes.hydrator) {
        assert.equal(await metric(hydrator, /^\w*hydrations_total\{.*outcome="hydrated".*\} (\d+)$/m), 1)
      }
    })

    await t.test('repo-servers share the rendering of a branch and commit-servers the commits', async () => {
      const names = Array.from({ length: 16 }, (_, index) => `app-${index}`)
      const files = Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, '1')]))
      const repository = await fixture.createRepository('wide', files)
      const { url: repoURL } = repository
      const branch = 'environments/wide'
      await fixture.applyAndWait(
        await repository.dry.head(),
        ...names.map((name) => ({ name, repoURL, branch })),
      )
      const manifests = (await repository.files(branch)).filter((file) => file.endsWith('/manifest.yaml'))
      assert.equal(manifests.length, names.length)
      for (let value = 2; value < 6; value++) {
        const drySha = await repository.push({ 'app-0/a.yaml': configMap('app-0', String(value)) })
        await fixture.hydrateTo(drySha, 'app-0')
      }
      assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha: await repository.dry.head() })
      for (const service of [...processes['repo-server'], ...processes['commit-server']]) {
        assert.ok((await served(service)) > 0, `${service.name} at ${service.address} served nothing`)
      }
    })

    await t.test('a caller without an identity is refused by every service', async () => {
      const methods = {
        'repo-server': 'wadi.repo_server.v1.RepoServerService/ListRepositories',
        'commit-server': 'wadi.commit_server.v1.CommitServerService/ListRepositories',
        'cmp-server': 'plugin.ConfigManagementPluginService/CheckPluginConfiguration',
        'appset-service': 'wadi.application_sets.v1.ApplicationSetService/GenerateApplications',
        hydrator: 'wadi.hydrator.v1.HydratorService/GetBranchStatuses',
        'api-gateway': 'wadi.api_gateway.v1.ApplicationService/ListApplications',
      }
      for (const [name, method] of Object.entries(methods)) {
        for (const { address } of processes[name as keyof typeof methods]) {
          for (const authorization of ['', `Bearer ${'x'.repeat(40)}`]) {
            const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
            const answer = await fetch(`${address}/${method}`, { method: 'POST', headers, body: '{}' })
            const { code } = (await answer.json()) as { code: string }
            assert.equal(code, 'unauthenticated', `${name} with ${authorization || 'nothing'}`)
          }
        }
      }
    })
  },
)

async function metric({ metricsAddress }: ServiceProcess, line: RegExp): Promise<number> {
  const text = await (await fetch(`${metricsAddress}/metrics`)).text()
  return Number(line.exec(text)?.[1] ?? 0)
}

/** Number of renders or commits that a service was asked for. */
async function served(service: ServiceProcess): Promise<number> {
  return metric(service, /^\w+_count\{[^}]*(?:RenderSources|CommitManifests)[^}]*\} ([1-9]\d*)$/m)
}
