import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { inCluster, usersMeshOfFile } from '../access/users-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { applicationNames, rejectionOf, setObject } from './set-fixture.ts'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
const own = await mesh.fixture.createRepository('web-own', { 'apps/own/a.json': '{"name": "own"}' })
const secret = await mesh.fixture.createRepository('api-secret', {
  'apps/secret/a.json': '{"name": "secret"}',
})

const git = (repoURL: string): JsonObject => ({
  git: { repoURL, revision: 'main', files: [{ path: 'apps/*/a.json' }] },
})
const generate = (generators: JsonObject[], spec: JsonObject = {}) =>
  ann.applicationSets.generateApplications({ applicationSet: setObject({ generators, spec }) })

const requestsOf = ({ directory }: RepositoryFixture) => {
  const name = directory.split('/').at(-1) ?? ''
  return mesh.git.server.requests.filter(({ path }) => path.includes(name)).length
}

test('a repository is read for those alone who may get it, nested and interpolated ones too', async () => {
  assert.equal((await generate([git(own.url)])).applications.length, 1)
  const interpolated = {
    matrix: {
      generators: [{ list: { elements: [{ repository: secret.url }] } }, git('{{repository}}')],
    },
  }
  const merged = { merge: { mergeKeys: ['name'], generators: [git(own.url), git(secret.url)] } }
  const spelled = `${mesh.git.server.url}/./api-secret.git/`
  for (const generator of [git(secret.url), git(spelled), interpolated, merged]) {
    const rejection = (await rejectionOf(generate([generator]))) ?? ''
    assert.match(
      rejection,
      /^(PermissionDenied: spec\..*: permission denied: repositories, get, |InvalidArgument: )/,
    )
  }
  assert.equal(requestsOf(secret), 0)
  assert.deepEqual(await applicationNames(mesh.admin), [])
})

test('a repository that does not exist is refused like one that may not be read', async () => {
  const missing = `${mesh.git.server.url}/api-missing.git`
  const rejections = await Promise.all([secret.url, missing].map((url) => rejectionOf(generate([git(url)]))))
  assert.equal(rejections[0]?.replaceAll(secret.url, missing), rejections[1])
})

const addresses: [string, RegExp][] = [
  ['file:///etc', /^InvalidArgument: .*file/],
  ['http://169.254.169.254/latest/meta-data', /^InvalidArgument: .*plain http/],
  ['https://169.254.169.254/latest/meta-data', /^InvalidArgument: .*local link/],
  ['https://[::ffff:169.254.169.254]/latest', /^InvalidArgument: .*local link/],
  ['https://metadata.google.internal/x.git', /^InvalidArgument: .*local link/],
  ['ext::sh -c id', /^InvalidArgument: /],
  ['--upload-pack=id', /^InvalidArgument: /],
  ['https://user:hunter2@git.example.com/x.git', /^InvalidArgument: /],
]
for (const [address, expected] of addresses) {
  test(`${address} is not a repository, for the operator neither`, async () => {
    for (const user of [ann, mesh.admin]) {
      const applicationSet = setObject({ generators: [git(address)] })
      const rejection =
        (await rejectionOf(user.applicationSets.generateApplications({ applicationSet }))) ?? ''
      assert.match(rejection, expected)
      assert.ok(!rejection.includes('hunter2'), rejection)
    }
  })
}

test('a generator of clusters needs every one that it finds, and names none that is hidden', async () => {
  const clusters: JsonObject = { clusters: {} }
  assert.equal((await generate([clusters])).applications[0]?.['kind'], 'Application')
  const cluster = { name: 'hidden-cluster', server: 'https://hidden.example.com', project: 'api' }
  await mesh.admin.clusters.createCluster({ cluster })
  const refused =
    /^PermissionDenied: spec\..*: permission denied: clusters, get, a cluster that the generators yield, sub: ann$/
  assert.match((await rejectionOf(generate([clusters]))) ?? '', refused)
  const nested = { matrix: { generators: [{ list: { elements: [{}] } }, clusters] } }
  assert.match((await rejectionOf(generate([nested]))) ?? '', refused)
  await mesh.admin.clusters.deleteCluster({ cluster: 'hidden-cluster' })
  const { applications } = await generate([clusters])
  assert.ok(JSON.stringify(applications).includes(inCluster))
})

test('no secret goes to an address that a generator names', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    response.end('[]')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tokenRef = { secretName: 'argocd-secret', key: 'server.secretkey' }
  for (const generator of [
    { scmProvider: { gitea: { owner: 'x', api, tokenRef } } },
    { pullRequest: { gitea: { owner: 'x', repo: 'y', api, tokenRef } } },
    { plugin: { configMapRef: { name: 'argocd-cm' } } },
  ]) {
    const applicationSet = setObject({ generators: [generator] })
    const rejection =
      (await rejectionOf(mesh.admin.applicationSets.generateApplications({ applicationSet }))) ?? ''
    assert.match(rejection, /^(FailedPrecondition|PermissionDenied|InvalidArgument): /)
  }
  assert.equal(requests, 0)
  server.close()
})
