import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite, test } from 'node:test'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { startMesh } from '@wadi/mesh/mesh.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { onFreePorts } from '@wadi/testing/free-port.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'
import { applicationNames, namesGenerator, setObject } from '../application-sets/set-fixture.ts'
import { applicationObject, configMap } from '../application-fixture.ts'
import { HydrationFixture } from '../hydration-fixture.ts'
import { gitUser, quietEnvironment, startListenedGitServer } from '../mesh-fixture.ts'
import { processMeshToken, ServiceProcess } from '../process-mesh-fixture.ts'
import { hydratedBranches } from './branch-ledger-fixture.ts'
import { ownClusterKinds } from './own-cluster-fixture.ts'

const meshEntry = path.join(import.meta.dirname, '../../../mesh/src/main.ts')
const label = 'wadi.dev/installation'
const argocd = { group: 'argoproj.io', version: 'v1alpha1' }
const applications = { ...argocd, kind: 'Application', plural: 'applications' }
const projects = { ...argocd, kind: 'AppProject', plural: 'appprojects' }
const namespaces = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' }

const teamProject = (namespace: string): Resource => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'team', namespace },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    sourceNamespaces: ['team-a'],
  },
})

for (const { name: kind, missing, open } of ownClusterKinds) {
  suite(`two installations over one namespace of the ${kind}`, { skip: missing ?? false }, () => {
    test('each hydrates the Applications with its label alone, and what it makes carries the label', async () => {
      await using owned = new AsyncDisposableStack()
      const cluster = owned.use(await open())
      const client = owned.use(new KubernetesClient(cluster.config))
      const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-named-')))
      const kubeconfig = path.join(directory, 'kubeconfig')
      await writeKubeconfig(kubeconfig, cluster.config)
      const git = await startListenedGitServer()
      owned.use(git.server)
      for (const name of ['team-a', 'second', 'second-write']) {
        await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      }
      for (const namespace of ['argocd', 'second']) await client.create(projects, teamProject(namespace))
      const shared = {
        ...quietEnvironment,
        WADI_STORE: 'kubernetes',
        WADI_KUBECONFIG: kubeconfig,
        WADI_APPLICATION_NAMESPACES: 'team-a',
      }
      const [firstData, data] = [path.join(directory, 'first'), path.join(directory, 'second')]
      for (const one of [firstData, data]) await shareToolCache(one)
      const first = owned.use(
        await startMesh({
          dataDirectory: firstData,
          listen: '127.0.0.1:0',
          environment: { ...shared, WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write' },
        }),
      )
      const second = await onFreePorts(1, async ([port]) => {
        const environment = {
          ...shared,
          WADI_NAMESPACE: 'second',
          WADI_INSTALLATION: 'blue',
          WADI_WRITE_CREDENTIALS_NAMESPACE: 'second-write',
          WADI_LISTEN: `127.0.0.1:${port}`,
          WADI_DATA_DIR: data,
          WADI_ADMIN_TOKEN: processMeshToken,
        }
        const address = `http://127.0.0.1:${port}`
        const own = owned.use(
          new ServiceProcess({ name: 'mesh', address, metricsAddress: '', entry: meshEntry, environment }),
        )
        await own.start()
        return address
      })
      const connect = async (address: string, token: string) => {
        const fixture = owned.use(new HydrationFixture({ address, token, directory, git: git.server }))
        await fixture.addCredentials({ repoUrl: git.server.url, isPrefix: true, ...gitUser })
        return fixture
      }
      const unnamed = await connect(first.address, first.adminToken)
      const blue = await connect(second, processMeshToken)

      const repository = await unnamed.createRepository('shared', {
        'a/a.yaml': configMap('a', '1'),
        'b/a.yaml': configMap('b', '1'),
      })
      const create = async (name: string, labels: Record<string, string>) => {
        const object = applicationObject({
          name,
          repoURL: repository.url,
          branch: `env/${name}`,
          project: 'team',
        })
        const metadata = { name, namespace: 'team-a', labels }
        await client.create(applications, { ...object, metadata } as unknown as Resource)
      }
      await create('a', {})
      await create('b', { [label]: 'blue' })
      const records = async (namespace: string) =>
        (await client.list(hydratedBranches, { namespace })).items
          .filter(({ status }) => (status?.['groups'] as { phase: string }[])?.[0]?.phase === 'Hydrated')
          .map(({ spec, metadata }) => [spec?.['branch'], metadata.labels?.[label]])
      await until(async () => (await records('argocd')).length + (await records('second')).length >= 2)
      assert.deepEqual(await records('argocd'), [['env/a', undefined]])
      assert.deepEqual(await records('second'), [['env/b', 'blue']])
      assert.deepEqual(await applicationNames(unnamed.gateway), ['a'])
      assert.deepEqual(await applicationNames(blue.gateway), ['b'])

      const applicationSet = setObject({ project: 'team', generators: [namesGenerator('of-set')] })
      const apply = async () => blue.gateway.applicationSets.applyApplicationSet({ applicationSet })
      await apply()
      await until(async () => (await applicationNames(blue.gateway)).includes('of-set'))
      const made = await client.get(applications, { namespace: 'second', name: 'of-set' })
      assert.equal(made.metadata.labels?.[label], 'blue')
      // The file has no label, and is what is stored all the same.
      assert.equal((await apply()).outcome, 'unchanged')
      assert.deepEqual(await applicationNames(unnamed.gateway), ['a'])
    })
  })
}
