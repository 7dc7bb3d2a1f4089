import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { minimalChart, packChart } from '@wadi/charts/chart-server-fixture.ts'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { startMeshFixture } from './mesh-fixture.ts'

const host = 'charts.internal'

test(
  'dependencies of charts are downloaded through the proxy and with the authority of their repository',
  { skip: noOpenssl },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-dependencies-'))
    const files = makeSignedCertificate(directory.path, host)
    const archive = await packChart('far', minimalChart('far', '2.0.0'))
    const tls = { cert: await readFile(files.certificate), key: await readFile(files.key) }
    await using server = createServer(tls, (request, response) => {
      const entry = '{apiVersion: v2, name: far, version: 2.0.0, urls: [far-2.0.0.tgz]}'
      response.end(
        request.url === '/index.yaml' ? `apiVersion: v1\nentries:\n  far:\n  - ${entry}\n` : archive,
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await using proxy = await startConnectProxy((server.address() as AddressInfo).port, 'user:hunter2')
    await using mesh = await startMeshFixture({
      environment: { WADI_ALLOW_REMOTE_CHARTS: 'true', WADI_KUSTOMIZE_BUILD_OPTIONS: '--enable-helm' },
    })
    const { fixture } = mesh
    const dependency = `{name: far, version: 2.0.0, repository: "https://${host}"}`
    const repository = await fixture.createRepository('parent', {
      'parent/Chart.yaml': `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies: [${dependency}]\n`,
      'kustomized/kustomization.yaml': `helmCharts:\n- {name: far, version: 2.0.0, repo: "https://${host}", releaseName: far}\n`,
    })
    const application = { name: 'parent', repoURL: repository.url, branch: 'environments/parent' }
    assert.match(await fixture.applyAndFail(application), /charts\.internal/)
    assert.deepEqual(proxy.requests, [])
    const added = { repoUrl: `https://${host}`, isPrefix: true, upsert: true }
    const through = `http://user:hunter2@${proxy.host}`
    await fixture.gateway.repositories.createRepository({ ...added, proxy: through })
    const untrusted = await fixture.hydrate('parent', { hard: true })
    assert.match(untrusted.currentOperation?.message ?? '', /certificate/)
    assert.doesNotMatch(untrusted.currentOperation?.message ?? '', /hunter2/)
    await fixture.gateway.resources.applyResource({
      resource: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'argocd-tls-certs-cm', namespace: 'argocd' },
        data: { [host]: await readFile(files.authority, 'utf8') },
      },
    })
    const { currentOperation } = await fixture.hydrate('parent', { hard: true })
    assert.deepEqual([currentOperation?.phase, currentOperation?.message ?? ''], ['Hydrated', ''])
    assert.match(await repository.read('environments/parent', 'parent/manifest.yaml'), /name: far/)
    const kustomized = { name: 'kustomized', repoURL: repository.url, branch: 'environments/kustomized' }
    await fixture.applyAndWait(await repository.dry.head(), kustomized)
    assert.ok(proxy.requests.length > 0 && proxy.requests.every((line) => line === `${host}:443 200`))
    proxy.refusal = 407
    const refused = await fixture.hydrate('parent', { hard: true })
    assert.doesNotMatch(refused.currentOperation?.message ?? '', /hunter2/)
  },
)
