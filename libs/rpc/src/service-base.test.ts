import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { Code, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { incompleteMarker } from '@wadi/errors/unusable-directory.ts'
import { commonSettings } from './common-settings.ts'
import { temporaryDirectory } from './server-fixture.ts'
import { connectTo, openServiceBase, serve } from './service-base.ts'
import { callingServiceKey } from './service-identity.ts'
import { readSettings } from './service-settings.ts'

function settingsIn(directory: string, environment: Record<string, string> = {}) {
  const env = {
    WADI_DATA_DIR: directory,
    WADI_SERVICE_KEY_FILE: path.join(directory, 'service.key'),
    WADI_LISTEN: '127.0.0.1:0',
    WADI_LOG_LEVEL: 'error',
    ...environment,
  }
  return readSettings(commonSettings, { env, argv: [] })
}

test('the service key is made for its owner alone, and services that share it know each other', async () => {
  await using directory = await temporaryDirectory()
  const repoServer = await openServiceBase('repo-server', settingsIn(directory.path))
  const { mode } = await stat(path.join(directory.path, 'service.key'))
  assert.equal(mode & 0o777, 0o600)
  const hydrator = await openServiceBase('hydrator', settingsIn(directory.path))
  assert.deepEqual(await repoServer.identity.verifyToken(await hydrator.identity.token('repo-server')), {
    service: 'hydrator',
    proof: 'token',
  })
  assert.deepEqual([hydrator.name, hydrator.logger.level, hydrator.tls], ['hydrator', 'error', undefined])
})

test('no service starts on a data directory that is not restored to the end, wherever its other files are', async () => {
  await using directory = await temporaryDirectory()
  const settings = settingsIn(directory.path, {
    WADI_SERVICE_KEY_FILE: path.join(directory.path, 'identity', 'key'),
  })
  await writeFile(path.join(directory.path, incompleteMarker), '')
  await assert.rejects(openServiceBase('commit-server', settings), {
    name: 'FailedPreconditionError',
    message: `${directory.path} is incomplete: "wadi admin restore" (or backup) still fills it or was interrupted; wait for its end, or run it again with the same directory`,
  })
  assert.deepEqual(await readdir(directory.path), [incompleteMarker])
})

test('in a pod a service makes no key of its own', async () => {
  await using directory = await temporaryDirectory()
  using restored = new DisposableStack()
  const before = process.env['KUBERNETES_SERVICE_HOST']
  restored.defer(() => {
    if (before === undefined) delete process.env['KUBERNETES_SERVICE_HOST']
    else process.env['KUBERNETES_SERVICE_HOST'] = before
  })
  process.env['KUBERNETES_SERVICE_HOST'] = '10.0.0.1'
  await assert.rejects(openServiceBase('hydrator', settingsIn(directory.path)), {
    name: 'FailedPreconditionError',
    message: /service.key does not exist: all pods need the same service key, so none makes its own/,
  })
  assert.deepEqual(await readdir(directory.path), [])
})

test('TLS needs a certificate and its key; the authority is optional', async () => {
  await using directory = await temporaryDirectory()
  const tlsWith = async (environment: Record<string, string>) =>
    (await openServiceBase('hydrator', settingsIn(directory.path, environment))).tls
  const pair = { WADI_TLS_CERT_FILE: '/tls/cert.pem', WADI_TLS_KEY_FILE: '/tls/key.pem' }
  assert.deepEqual(await tlsWith(pair), { certFile: '/tls/cert.pem', keyFile: '/tls/key.pem' })
  assert.deepEqual(await tlsWith({ ...pair, WADI_TLS_CA_FILE: '/tls/ca.pem' }), {
    certFile: '/tls/cert.pem',
    keyFile: '/tls/key.pem',
    caFile: '/tls/ca.pem',
  })
})

test('a served service answers other services by name, unknown callers nothing, and health to everybody', async () => {
  await using directory = await temporaryDirectory()
  const base = await openServiceBase('repo-server', settingsIn(directory.path))
  const callers: unknown[] = []
  await using server = await serve(base, {
    services: [RepoServerService],
    routes: (router) =>
      router.service(RepoServerService, {
        resolveRevisions: (_request, { values }) => {
          callers.push(values.get(callingServiceKey))
          return { renderers: 'v1' }
        },
      }),
    owned: new AsyncDisposableStack(),
  })
  const hydrator = await openServiceBase('hydrator', settingsIn(directory.path))
  await using client = await connectTo(hydrator, RepoServerService, 'repo-server', [server.address])
  assert.equal((await client.resolveRevisions({})).renderers, 'v1')
  assert.deepEqual(callers, [{ service: 'hydrator', proof: 'token' }])
  await using misled = await connectTo(hydrator, RepoServerService, 'commit-server', [server.address])
  await assert.rejects(misled.resolveRevisions({}), UnauthenticatedError)
  const transport = createConnectTransport({ baseUrl: server.address, httpVersion: '1.1' })
  await assert.rejects(createClient(RepoServerService, transport).resolveRevisions({}), {
    code: Code.Unauthenticated,
  })
  const { status } = await createClient(Health, transport).check({ service: RepoServerService.typeName })
  assert.equal(status, ServingStatus.SERVING)
  assert.equal(callers.length, 1)
})

test('a service with its own authentication and paths uses those instead', async () => {
  await using directory = await temporaryDirectory()
  const base = await openServiceBase('api-gateway', settingsIn(directory.path))
  await using server = await serve(base, {
    services: [VersionService],
    routes: (router) => router.service(VersionService, { getVersion: () => ({ version: 'v1' }) }),
    owned: new AsyncDisposableStack(),
    authenticate: async ({ requestHeader }) => {
      if (requestHeader.get('password') !== 'open') throw new UnauthenticatedError('say the word')
    },
    edge: {
      httpRoutes: (request, response) => {
        if (request.url !== '/hook') return false
        response.writeHead(202)
        response.end()
        return true
      },
    },
  })
  const client = createClient(
    VersionService,
    createConnectTransport({ baseUrl: server.address, httpVersion: '1.1' }),
  )
  assert.equal((await client.getVersion({}, { headers: { password: 'open' } })).version, 'v1')
  await assert.rejects(client.getVersion({}), { code: Code.Unauthenticated, rawMessage: 'say the word' })
  const statuses = ['/hook', '/other', '/healthz'].map(
    async (at) => (await fetch(server.address + at)).status,
  )
  assert.deepEqual(await Promise.all(statuses), [202, 404, 200])
})

test('what a service holds is closed after the last call has ended', async () => {
  await using directory = await temporaryDirectory()
  const base = await openServiceBase('repo-server', settingsIn(directory.path))
  const order: string[] = []
  const owned = new AsyncDisposableStack()
  owned.defer(() => void order.push('closed'))
  const called = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = await serve(base, {
    services: [RepoServerService],
    routes: (router, draining) =>
      router.service(RepoServerService, {
        resolveRevisions: async () => {
          draining.addEventListener('abort', () => order.push('draining'))
          called.resolve()
          await release.promise
          order.push('answered')
          return { renderers: 'v1' }
        },
      }),
    owned,
  })
  const hydrator = await openServiceBase('hydrator', settingsIn(directory.path))
  await using client = await connectTo(hydrator, RepoServerService, 'repo-server', [server.address])
  const answer = client.resolveRevisions({})
  await called.promise
  const disposed = server[Symbol.asyncDispose]()
  release.resolve()
  assert.equal((await answer).renderers, 'v1')
  await disposed
  assert.deepEqual(order, ['draining', 'answered', 'closed'])
})

test('a message larger than the setting allows is refused', async () => {
  await using directory = await temporaryDirectory()
  const base = await openServiceBase(
    'repo-server',
    settingsIn(directory.path, { WADI_MAX_MESSAGE_SIZE: '1KiB' }),
  )
  await using server = await serve(base, {
    services: [RepoServerService],
    routes: (router) =>
      router.service(RepoServerService, { resolveRevisions: () => ({ renderers: 'x'.repeat(2048) }) }),
    owned: new AsyncDisposableStack(),
  })
  const hydrator = await openServiceBase('hydrator', settingsIn(directory.path))
  await using client = await connectTo(hydrator, RepoServerService, 'repo-server', [server.address])
  await assert.rejects(client.resolveRevisions({}), { name: 'ResourceExhaustedError' })
})

test('a failing check makes the service unready, and a warning is only reported', async () => {
  await using directory = await temporaryDirectory()
  const base = await openServiceBase('repo-server', settingsIn(directory.path))
  const state: { isWell: boolean; warning?: string } = { isWell: true }
  await using server = await serve(base, {
    services: [RepoServerService],
    routes: (router) => router.service(RepoServerService, {}),
    owned: new AsyncDisposableStack(),
    checks: {
      redis: async () => {
        if (!state.isWell) throw new Error('Redis is away')
      },
    },
    warnings: { policy: () => state.warning },
  })
  const text = async () => (await fetch(`${server.address}/readyz`)).text()
  assert.equal(await text(), 'ok\n')
  state.warning = 'line 3 of the policy'
  assert.equal(await text(), 'ok\nwarning: policy: line 3 of the policy\n')
  const ready = async () => (await fetch(`${server.address}/readyz`)).status
  assert.equal(await ready(), 200)
  state.isWell = false
  assert.equal(await ready(), 503)
  state.isWell = true
  server.ready(false)
  assert.equal(await ready(), 503)
})
