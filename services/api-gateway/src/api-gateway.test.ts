import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempDisposable, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Code, createClient } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { VersionService as ArgocdVersionService } from '@wadi/protocol/gen/argocd/version/version_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { initialAdminPassword } from './accounts/initial-admin-password.ts'
import { startApiGateway } from './api-gateway.ts'
import { toStruct } from './applications/read-application.ts'
import { sampleApplication } from './gateway-fixture.ts'
import { apiGatewaySettings } from './settings.ts'
import { version } from './version.ts'

/** Starts a gateway whose peers do not exist. */
function start(directory: string) {
  const env = {
    WADI_LISTEN: '127.0.0.1:0',
    WADI_DATA_DIR: directory,
    WADI_SERVICE_KEY_FILE: join(directory, 'service.key'),
    WADI_REPO_SERVERS: `unix:${directory}/repo-server.sock`,
    WADI_COMMIT_SERVERS: `unix:${directory}/commit-server.sock`,
    WADI_HYDRATORS: `unix:${directory}/hydrator.sock`,
    WADI_APPSET_SERVICES: `unix:${directory}/appset-service.sock`,
    WADI_LOG_LEVEL: 'error',
    WADI_IDLE_GRACE: '0s',
  }
  return startApiGateway(readSettings(apiGatewaySettings, { env, argv: [] }))
}

function authorized(token: string) {
  return { headers: { authorization: `Bearer ${token}` } }
}

test('a gateway takes the token that it made, over Connect, gRPC and gRPC-web', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-gateway-'))
  await using gateway = await start(directory.path)
  const token = (await readFile(join(directory.path, 'admin.token'), 'utf8')).trim()
  const baseUrl = gateway.address
  const transports = [
    createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false }),
    createConnectTransport({ baseUrl, httpVersion: '2', idleConnectionTimeoutMs: 1 }),
    createGrpcTransport({ baseUrl, idleConnectionTimeoutMs: 1 }),
    createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }),
  ]
  for (const transport of transports) {
    const client = createClient(VersionService, transport)
    const { version: served, nodeVersion, platform } = await client.getVersion({}, authorized(token))
    assert.deepEqual([served, nodeVersion], [version, process.version])
    assert.match(platform, /^\w+\/\w+$/)
    await assert.rejects(client.getVersion({}), { code: Code.Unauthenticated })
  }
})

test('what one gateway stores the next one serves, from files that the owner alone may read', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-gateway-'))
  const applications = (baseUrl: string) =>
    createClient(ApplicationService, createConnectTransport({ baseUrl, httpVersion: '1.1' }))
  {
    await using gateway = await start(directory.path)
    const token = (await readFile(join(directory.path, 'admin.token'), 'utf8')).trim()
    const application = toStruct(sampleApplication('web'))
    await applications(gateway.address).createApplication({ application }, authorized(token))
  }
  await using gateway = await start(directory.path)
  const token = (await readFile(join(directory.path, 'admin.token'), 'utf8')).trim()
  const listed = await applications(gateway.address).listApplications({}, authorized(token))
  assert.equal(listed.applications.length, 1)
  for (const file of ['state.db', 'admin.token', 'service.key'])
    assert.equal((await stat(join(directory.path, file))).mode & 0o777, 0o600, file)
})

test('errors reach callers with their code and reason, those of an absent service as Unavailable', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-gateway-'))
  await using gateway = await start(directory.path)
  const token = (await readFile(join(directory.path, 'admin.token'), 'utf8')).trim()
  const transport = createConnectTransport({ baseUrl: gateway.address, httpVersion: '1.1' })
  const applications = createClient(ApplicationService, transport)
  await assert.rejects(applications.getApplication({ name: 'web' }, authorized(token)), {
    code: Code.NotFound,
    rawMessage: 'applications.argoproj.io "web" not found',
  })
  const resource = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }
  await assert.rejects(
    createClient(ResourceService, transport).applyResource({ resource }, authorized(token)),
    {
      code: Code.InvalidArgument,
    },
  )
  const application = toStruct(sampleApplication('web'))
  await assert.rejects(
    applications.createApplication(
      { application, validate: true },
      { ...authorized(token), timeoutMs: 10_000 },
    ),
    { code: Code.Unavailable },
  )
})

test('without appset-service, calls about ApplicationSets report that it is missing', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-gateway-'))
  await using gateway = await start(directory.path)
  const token = (await readFile(join(directory.path, 'admin.token'), 'utf8')).trim()
  const transport = createConnectTransport({ baseUrl: gateway.address, httpVersion: '1.1' })
  const sets = createClient(ApplicationSetService, transport)
  await assert.rejects(sets.generateApplications({ applicationSet: {} }, authorized(token)), {
    code: Code.FailedPrecondition,
    rawMessage:
      'ApplicationSets are not available: appset-service is not installed or not running; ' +
      'start it, or set WADI_APPSET_SERVICES of the gateway to where it is',
  })
  await assert.rejects(sets.generateApplications({ applicationSet: {} }), { code: Code.Unauthenticated })
})

test('webhooks are answered without the token, on the strength of their signature', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-gateway-'))
  await using gateway = await start(directory.path)
  const token = (await readFile(join(directory.path, 'admin.token'), 'utf8')).trim()
  const resources = createClient(
    ResourceService,
    createConnectTransport({ baseUrl: gateway.address, httpVersion: '1.1' }),
  )
  const resource = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret' },
    stringData: { 'webhook.github.secret': 'shared' },
  }
  await resources.applyResource({ resource }, authorized(token))
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm' },
    data: { 'webhook.maxPayloadSizeMB': '4' },
  }
  await resources.applyResource({ resource: settings }, authorized(token))
  const body = '{}'
  const post = async (signature: string) => {
    const headers = { 'x-github-event': 'push', 'x-hub-signature-256': signature }
    const response = await fetch(`${gateway.address}/api/webhook`, { method: 'POST', headers, body })
    return [response.status, await response.text()]
  }
  const right = `sha256=${createHmac('sha256', 'shared').update(body).digest('hex')}`
  assert.deepEqual(await post(right), [
    400,
    'the payload names no repository: expected repository.clone_url\n',
  ])
  assert.deepEqual(await post('sha256=00'), [401, 'the signature is wrong\n'])
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=00' }
  const large = Buffer.alloc(8 * 1024 * 1024, ' ')
  const response = await fetch(`${gateway.address}/api/webhook`, { method: 'POST', headers, body: large })
  assert.equal(response.status, 413)
})

test('admin signs in with the first password, over gRPC as argocd does, and stays signed in over a restart', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-gateway-'))
  const clientsOf = (baseUrl: string) => {
    const transport = createGrpcTransport({ baseUrl, idleConnectionTimeoutMs: 1 })
    return {
      sessions: createClient(SessionService, transport),
      probe: createClient(ArgocdVersionService, transport),
      versions: createClient(VersionService, transport),
    }
  }
  let token = ''
  {
    await using gateway = await start(directory.path)
    await using store = openSqliteStore({ file: join(directory.path, 'state.db') })
    const password = (await initialAdminPassword(store)) ?? ''
    const { sessions, probe } = clientsOf(gateway.address)
    assert.equal((await probe.version({}, { headers: { token: '' } })).Version, `${version}+wadi`)
    const startedAt = performance.now()
    token = (await sessions.create({ username: 'admin', password })).token
    assert.ok(performance.now() - startedAt >= 499)
  }
  await using gateway = await start(directory.path)
  const { sessions, versions } = clientsOf(gateway.address)
  const headers = { token }
  assert.equal((await sessions.getUserInfo({}, { headers })).username, 'admin')
  assert.equal((await versions.getVersion({}, { headers })).version, version)
  await sessions.delete({}, { headers })
  await assert.rejects(versions.getVersion({}, { headers }), {
    code: Code.Unauthenticated,
    rawMessage: 'invalid session: the session was signed out; sign in again',
  })
})
