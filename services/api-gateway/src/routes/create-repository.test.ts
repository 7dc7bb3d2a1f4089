import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { CreateRepositoryRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { readRepositorySecret } from '@wadi/repositories/repository-secret.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { repositoryRoutes } from './repositories.ts'

const repoUrl = 'https://git.example.com/platform.git'
const view = { repoUrl, project: 'shop', credentials: 'password', reachable: true }
const peers = {
  repoServer: {
    putRepository: () => ({ repository: view }),
    listRepositories: () => ({ repositories: [view] }),
  },
  commitServer: {
    putRepository: () => ({ repository: view }),
    listRepositories: () => ({ repositories: [view, view] }),
  },
  hydrator: { pollNow: () => ({}) },
}

for (const [write, isPrefix, type, service] of [
  [false, false, 'repository', 'RepoServerService'],
  [false, true, 'repo-creds', 'RepoServerService'],
  [true, false, 'repository-write', 'CommitServerService'],
  [true, true, 'repo-write-creds', 'CommitServerService'],
] as const) {
  test(`credentials of type ${type} are stored with the service that needs them alone`, async () => {
    await using fixture = await openGatewayFixture(peers)
    const request = create(CreateRepositoryRequestSchema, {
      repoUrl,
      write,
      isPrefix,
      password: 'p',
      upsert: true,
    })
    const { repository } = await repositoryRoutes(fixture.context).createRepository(request, callContext())
    assert.deepEqual([repository?.repoUrl, repository?.credentials], [repoUrl, 'password'])
    assert.deepEqual(fixture.calls, [
      `${service}/ListRepositories`,
      `${service}/PutRepository`,
      'HydratorService/PollNow',
    ])
    const [, { secretJson, upsert, skipValidation } = {}] = fixture.requests
    assert.deepEqual([upsert, skipValidation], [false, false])
    const secret = readRepositorySecret(JSON.parse(String(secretJson)))
    assert.deepEqual([secret.type, secret.values], [type, { url: repoUrl, password: 'p' }])
    assert.match(secret.name, new RegExp(`^${type}-[0-9a-f]{16}$`))
  })
}

test('every field of a request reaches the Secret under the name that Argo CD gives it', async () => {
  await using fixture = await openGatewayFixture(peers)
  const fields = {
    name: 'platform',
    project: 'shop',
    username: 'u',
    password: 'p',
    bearerToken: 'b',
    sshPrivateKey: 'k',
    sshKnownHosts: 'h',
    githubAppId: '1',
    githubAppInstallationId: '2',
    githubAppPrivateKey: 'g',
    githubAppEnterpriseBaseUrl: 'https://ghe.example.com/api/v3',
    tlsClientCertificate: 'c',
    tlsClientKey: 'd',
    proxy: 'http://proxy.example.com',
    insecure: true,
  }
  const request = create(CreateRepositoryRequestSchema, { repoUrl, ...fields })
  await repositoryRoutes(fixture.context).createRepository(request, callContext())
  const { values } = readRepositorySecret(JSON.parse(String(fixture.requests[1]?.['secretJson'])))
  assert.deepEqual(values, {
    url: repoUrl,
    name: 'platform',
    project: 'shop',
    username: 'u',
    password: 'p',
    bearerToken: 'b',
    sshPrivateKey: 'k',
    sshKnownHosts: 'h',
    githubAppID: '1',
    githubAppInstallationID: '2',
    githubAppPrivateKey: 'g',
    githubAppEnterpriseBaseUrl: 'https://ghe.example.com/api/v3',
    tlsClientCertData: 'c',
    tlsClientCertKey: 'd',
    proxy: 'http://proxy.example.com',
    insecure: 'true',
  })
})

test('where the API of the forge is, is stored with write credentials', async () => {
  await using fixture = await openGatewayFixture(peers)
  const forge = { forge: 'gitea', forgeUrl: 'https://code.example.com', forgeToken: 't' }
  const request = create(CreateRepositoryRequestSchema, { repoUrl, write: true, ...forge })
  await repositoryRoutes(fixture.context).createRepository(request, callContext())
  const { values } = readRepositorySecret(JSON.parse(String(fixture.requests[1]?.['secretJson'])))
  assert.deepEqual(values, { url: repoUrl, ...forge })
})

test('a repository needs a URL', async () => {
  await using fixture = await openGatewayFixture(peers)
  const request = create(CreateRepositoryRequestSchema, { password: 'p' })
  await assert.rejects(repositoryRoutes(fixture.context).createRepository(request, callContext()), {
    name: 'InvalidInputError',
    message: 'repoURL is required',
  })
  assert.deepEqual(fixture.calls, [])
})
