import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite, test } from 'node:test'
import type { SourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import { eventResource } from '@wadi/kubernetes/events/event-recorder.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from '../application-fixture.ts'
import { HydrationFixture } from '../hydration-fixture.ts'
import { gitUser, quietEnvironment, startListenedGitServer } from '../mesh-fixture.ts'
import { ownClusterKinds } from './own-cluster-fixture.ts'

const applications = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'Application',
  plural: 'applications',
}
const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' }
const secrets = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' }
const secretTypeLabel = 'argocd.argoproj.io/secret-type'
const hydratedBranches = {
  group: 'wadi.dev',
  version: 'v1alpha1',
  kind: 'HydratedBranch',
  plural: 'hydratedbranches',
}

/** A server of a private authority is trusted once that is added, which is a ConfigMap of the cluster. */
async function trustServer(
  { gateway }: HydrationFixture,
  client: KubernetesClient,
  directory: string,
): Promise<void> {
  const files = makeSignedCertificate(directory, 'localhost')
  const tls = { cert: await readFile(files.certificate), key: await readFile(files.key) }
  await using server = await startGitHttpServer({ tls })
  await server.createRepository('trusted.git')
  const repoUrl = `${server.url.replace('127.0.0.1', 'localhost')}/trusted.git`
  const adding = () =>
    gateway.repositories.createRepository({ repoUrl }).then(
      () => '',
      (error: unknown) => String(error),
    )
  assert.match(await adding(), /TLS failed/)
  const certData = await readFile(files.authority)
  const items = [{ serverName: 'localhost', certType: 'https', certData }]
  await gateway.certificates.createCertificate({ certificates: { items } })
  const read = () => client.get(configMaps, { namespace: 'argocd', name: 'argocd-tls-certs-cm' })
  assert.deepEqual(Object.keys((await read()).data ?? {}), ['localhost'])
  await until(async () => (await adding()) === '')
  const { items: listed } = await gateway.certificates.listCertificates({})
  assert.deepEqual(
    listed.map(({ serverName, certType }) => [serverName, certType]),
    [['localhost', 'https']],
  )
  await gateway.certificates.deleteCertificate({ hostNamePattern: 'localhost' })
  assert.deepEqual((await read()).data ?? {}, {})
  await gateway.repositories.deleteRepository({ repoUrl })
}

for (const { name, missing, open } of ownClusterKinds) {
  suite(`a mesh whose objects are in the ${name}`, { skip: missing ?? false }, () => {
    test('it hydrates a branch, starts again without files of its own and goes on', async () => {
      await using owned = new AsyncDisposableStack()
      const cluster = owned.use(await open())
      const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-cluster-')))
      const kubeconfig = path.join(directory, 'kubeconfig')
      await writeKubeconfig(kubeconfig, cluster.config)
      const git = await startListenedGitServer()
      owned.use(git.server)
      const client = owned.use(new KubernetesClient(cluster.config))

      /** Runs the mesh with a data directory that has the renderers alone. */
      const run = async (work: (fixture: HydrationFixture, address: string) => Promise<void>) => {
        await using data = await mkdtempDisposable(path.join(directory, 'data-'))
        await shareToolCache(data.path)
        await using mesh = await startMesh({
          dataDirectory: data.path,
          listen: '127.0.0.1:0',
          environment: {
            ...quietEnvironment,
            WADI_STORE: 'kubernetes',
            WADI_KUBECONFIG: kubeconfig,
            WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write',
          },
        })
        const { address, adminToken: token } = mesh
        using fixture = new HydrationFixture({ address, token, directory, git: git.server })
        await work(fixture, address)
      }

      const branch = 'environments/dev'
      let repository: Awaited<ReturnType<HydrationFixture['createRepository']>> | undefined
      await run(async (fixture, address) => {
        await fixture.addCredentials({ repoUrl: git.server.url, isPrefix: true, ...gitUser })
        repository = await fixture.createRepository('dry', { 'web/a.yaml': configMap('web', '1') })
        const drySha = await repository.dry.head()
        await fixture.applyAndWait(drySha, { name: 'web', repoURL: repository.url, branch })
        const [record] = (await client.list(hydratedBranches, { namespace: 'argocd' })).items
        assert.equal(record?.spec?.['branch'], branch)
        const reasons = async () =>
          (await client.list(eventResource, { namespace: 'argocd' })).items.map((event) => {
            const { kind, name: about } = event['regarding'] as { kind: string; name: string }
            return `${String(event['reason'])} ${kind} ${about}`
          })
        await until(async () => (await reasons()).length === 2)
        assert.deepEqual((await reasons()).toSorted(), [
          'Hydrated Application web',
          `Hydrated HydratedBranch ${record?.metadata.name}`,
        ])
        const typesIn = async (namespace: string) =>
          (await client.list(secrets, { namespace, labelSelector: secretTypeLabel })).items.map(
            ({ metadata }) => metadata.labels?.[secretTypeLabel],
          )
        const busy = cluster.beBusy
        if (busy !== undefined) {
          // Longer than the test waits: only the end of it lets the change through.
          busy(1_000_000, 1)
          const next = await repository.push({ 'web/a.yaml': configMap('web', 'meanwhile') })
          const hydrated = fixture.hydrateTo(next, 'web')
          const readiness = async () => (await fetch(`${address}/readyz`)).text()
          await until(async () =>
            /not followed at the moment: .* look at the load of the API server/.test(await readiness()),
          )
          busy(0, 0)
          await hydrated
          await until(async () => (await reasons()).includes('ApiServerBusy ConfigMap wadi-installation'))
        }
        assert.deepEqual(await typesIn('argocd'), ['repo-creds'])
        assert.deepEqual(await typesIn('wadi-write'), ['repo-write-creds'])
      })
      if (noOpenssl === false) await run((fixture) => trustServer(fixture, client, directory))
      await run(async (fixture) => {
        assert.ok(repository)
        const before = (await repository.commits(branch)).length
        const drySha = await repository.push({ 'web/a.yaml': configMap('web', '2') })
        await fixture.hydrateTo(drySha, 'web')
        assert.equal((await repository.commits(branch)).length, before + 1)
        const { data } = await client.get(configMaps, { namespace: 'argocd', name: 'wadi-installation' })
        assert.equal(
          await repository.wholeNote(branch),
          `{"drySha":"${drySha}","installation":"${data?.['id']}"}\n`,
        )
        const [application] = (await client.list(applications, { namespace: 'argocd' })).items
        const status = application?.status?.['sourceHydrator'] as SourceHydratorStatus | undefined
        assert.deepEqual(
          [status?.currentOperation?.phase, status?.currentOperation?.drySHA],
          ['Hydrated', drySha],
        )
        assert.deepEqual(status?.lastSuccessfulOperation, {
          drySHA: drySha,
          hydratedSHA: (await repository.commits(branch))[0],
          sourceHydrator: application?.spec?.['sourceHydrator'],
        })
      })
    })
  })
}
