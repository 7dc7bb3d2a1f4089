import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { someRepositories } from '@wadi/forges/forge-data-fixture.ts'
import { startGitea } from '@wadi/forges/gitea/gitea-fixture.ts'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { rejectionOf, setObject } from './set-fixture.ts'

const host = 'forge.internal'

test(
  'generators reach a forge through the proxy of its repositories, and trust what is trusted of its host',
  { skip: noOpenssl },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-forge-way-'))
    const files = makeSignedCertificate(directory.path, host)
    const [cert, key, authority] = await Promise.all(
      [files.certificate, files.key, files.authority].map((file) => readFile(file, 'utf8')),
    )
    await using forge = await startGitea('acme', someRepositories(), {
      tls: { cert: cert ?? '', key: key ?? '' },
    })
    await using proxy = await startConnectProxy(Number(new URL(forge.address).port), 'user:hunter2')
    await using mesh = await startMeshFixture({
      environment: { WADI_SCM_PROVIDERS: 'true', WADI_SCM_ALLOWED_APIS: `https://${host}` },
    })
    const { gateway } = mesh.fixture
    const api = `https://${host}`
    const generate = (generator: Record<string, Record<string, Record<string, string>>>, name: string) =>
      gateway.applicationSets.generateApplications({
        applicationSet: setObject({ generators: [generator], application: name, project: 'default' }),
      })
    const owned = { scmProvider: { gitea: { api, owner: 'acme' } } }
    const pulls = { pullRequest: { gitea: { api, owner: 'acme', repo: 'shop' } } }
    const added = { repoUrl: `${api}/acme`, isPrefix: true, upsert: true }
    assert.match((await rejectionOf(generate(owned, '{{repository}}'))) ?? '', /forge\.internal/)
    assert.deepEqual(proxy.requests, [])
    await gateway.repositories.createRepository({ ...added, proxy: `http://user:hunter2@${proxy.host}` })
    const untrusted = (await rejectionOf(generate(owned, '{{repository}}'))) ?? ''
    assert.match(untrusted, /TLS failed for https:\/\/forge\.internal: .*wadi cert add-tls forge\.internal/)
    await gateway.resources.applyResource({
      resource: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'argocd-tls-certs-cm', namespace: 'argocd' },
        data: { [host]: authority ?? '' },
      },
    })
    const { applications } = await generate(owned, '{{repository}}')
    assert.ok(applications.length > 0)
    assert.ok((await generate(pulls, 'pull-{{number}}')).applications.length > 0)
    assert.ok(proxy.requests.length > 0 && proxy.requests.every((line) => line === `${host}:443 200`))
    proxy.refusal = 403
    await gateway.repositories.createRepository({ ...added, proxy: `http://user:hunter2@${proxy.host}/` })
    const refused = (await rejectionOf(generate(pulls, 'other-{{number}}'))) ?? ''
    assert.match(refused, /its proxy answers 403/)
    assert.doesNotMatch(`${untrusted} ${refused}`, /hunter2/)
  },
)
