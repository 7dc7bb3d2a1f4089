import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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
    })
    const { fixture, processes } = mesh

    await t.test(
      'two branches are hydrated at the same time, each once, whichever hydrators take them',
      async () => {
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
        const hydrations = await Promise.all(
          processes.hydrator.map((hydrator) =>
            metric(hydrator, /^\w*hydrations_total\{.*outcome="hydrated".*\} (\d+)$/m),
          ),
        )
        assert.equal(
          hydrations.reduce((sum, count) => sum + count, 0),
          names.length,
        )
      },
    )

    await t.test(
      'the dashboard and the alerts of the chart ask for metrics that the services have',
      async () => {
        const texts = await Promise.all(
          Object.values(processes)
            .flat()
            .map(async ({ metricsAddress }) => (await fetch(`${metricsAddress}/metrics`)).text()),
        )
        const known = new Set(texts.flatMap((text) => text.match(/(?<=^# TYPE )\w+/gm) ?? []))
        const files = join(import.meta.dirname, '../../deploy/helm/wadi/files')
        const expressions = await Promise.all(
          ['dashboard.json', 'alerts.yaml'].map(async (file) => {
            const text = await readFile(join(files, file), 'utf8')
            return text.match(/(?<=(?:"expr"|^ +expr): ).*$/gm) ?? []
          }),
        )
        const asked = expressions.flat().flatMap((text) => text.match(/\b(?:wadi|process)_\w+/g) ?? [])
        assert.ok(asked.length > 24)
        const unknown = asked.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')))
        assert.deepEqual(unknown, [])
      },
    )

    await t.test('repo-servers and commit-servers share the repositories', async () => {
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
      // Each repository has one repo-server and one commit-server; one of twenty repositories reaches each of them.
      const idle = async (): Promise<string[]> => {
        const workers = [...processes['repo-server'], ...processes['commit-server']]
        const counts = await Promise.all(workers.map(served))
        return workers.flatMap(({ name, address }, index) =>
          counts[index] === 0 ? [`${name} ${address}`] : [],
        )
      }
      for (let number = 1; number <= 20 && (await idle()).length > 0; number++) {
        const name = `narrow-${number}`
        const other = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
        const application = { name, repoURL: other.url, branch: `environments/${name}` }
        await fixture.applyAndWait(await other.dry.head(), application)
      }
      assert.deepEqual(await idle(), [])
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
