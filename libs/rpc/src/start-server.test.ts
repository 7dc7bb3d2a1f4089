import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { createClient } from '@connectrpc/connect'
import { createGrpcWebTransport } from '@connectrpc/connect-node'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { createHealthRegistry } from './health-registry.ts'
import { startProcess } from './process-fixture.ts'
import { createTestClient, startTestServer, temporaryDirectory, testKey } from './server-fixture.ts'
import { createServiceIdentity } from './service-identity.ts'

const hydrator = createServiceIdentity({ key: testKey, service: 'hydrator' })

async function withToken(): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await hydrator.token('repo-server')}` }
}

async function rawExchange(port: number, request: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write(request)
  return (await Array.fromAsync(socket)).join('')
}

test('HTTP/1.1 with Connect JSON is answered, by POST and for side-effect-free methods by GET', async () => {
  await using server = await startTestServer()
  const url = `${server.address}/grpc.health.v1.Health`
  const headers = { 'content-type': 'application/json', ...(await withToken()) }
  const posted = await fetch(`${url}/List`, { method: 'POST', headers, body: '{}' })
  assert.deepEqual(await posted.json(), { statuses: { '': { status: 'SERVING' } } })
  const got = await fetch(`${url}/Check?connect=v1&encoding=json&message=%7B%7D`)
  assert.deepEqual(await got.json(), { status: 'SERVING' })
})

for (const httpVersion of ['1.1', '2'] as const) {
  test(`gRPC-web over HTTP/${httpVersion} is answered, unary and streaming`, async () => {
    await using server = await startTestServer({
      rpcs: {
        async *watch() {
          yield { status: ServingStatus.SERVING }
          yield { status: ServingStatus.NOT_SERVING }
        },
      },
    })
    const client = createClient(Health, createGrpcWebTransport({ baseUrl: server.address, httpVersion }))
    const headers = await withToken()
    assert.equal((await client.list({}, { headers })).statuses['']?.status, ServingStatus.SERVING)
    const statuses = (await Array.fromAsync(client.watch({}, { headers }))).map(({ status }) => status)
    assert.deepEqual(statuses, [ServingStatus.SERVING, ServingStatus.NOT_SERVING])
  })
}

test('/healthz and /readyz are open and report the state, /metrics is elsewhere', async () => {
  let failure: string | undefined = 'queue: connection refused'
  const health = createHealthRegistry({
    checks: {
      redis: () => failure,
      git: () => {
        throw new Error('git is not installed')
      },
    },
  })
  await using server = await startTestServer({ health })
  const get = async (page: string) => {
    const response = await fetch(`${server.address}${page}`)
    return [response.status, await response.text()] as const
  }
  assert.deepEqual(await get('/healthz'), [200, 'ok\n'])
  const [status, text] = await get('/readyz')
  assert.equal(status, 503)
  assert.deepEqual(text.trim().split('\n').toSorted(), [
    'git: git is not installed',
    'redis: queue: connection refused',
  ])
  failure = undefined
  assert.deepEqual(await get('/readyz'), [503, 'git: git is not installed\n'])
  server.ready(false)
  assert.deepEqual(await get('/readyz'), [503, 'not ready\n'])
  await using client = await createTestClient([server.address])
  assert.equal((await client.check({})).status, ServingStatus.NOT_SERVING)
  assert.equal((await get('/metrics'))[0], 404)
  assert.equal((await get('/elsewhere'))[0], 404)
})

test('httpRoutes takes what is neither RPC nor operations', async () => {
  await using server = await startTestServer({
    httpRoutes: (request, response) => {
      if (request.url !== '/api/webhook') return false
      response.writeHead(202)
      response.end()
      return true
    },
  })
  assert.equal((await fetch(`${server.address}/api/webhook`, { method: 'POST', body: '{}' })).status, 202)
  assert.equal((await fetch(`${server.address}/api/other`)).status, 404)
})

const hostile = {
  'an authority that is not a host':
    'POST /grpc.health.v1.Health/Check HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
  'no authority': 'POST /grpc.health.v1.Health/Check HTTP/1.0\r\n\r\n',
  'no HTTP at all': '\u0000\u0001\u0002\u0003\r\n\r\n',
  'half of an HTTP/2 preface': 'PRI * HTTP/9.9\r\n\r\n',
}
test('malformed requests are refused and the server lives on', async () => {
  await using server = await startTestServer()
  for (const [name, request] of Object.entries(hostile)) {
    const answer = await rawExchange(server.port, request)
    assert.doesNotMatch(answer, /^HTTP\/1\.1 200/, name)
  }
  assert.equal((await fetch(`${server.address}/healthz`)).status, 200)
})

const spellings = [
  '//grpc.health.v1.Health/List',
  '/grpc.health.v1.Health/List/',
  '/grpc.health.v1.Health/%4cist',
  'grpc.health.v1.Health/List',
]
test('questions about health and contracts are small', async () => {
  await using server = await startTestServer()
  const response = await fetch(`${server.address}/grpc.health.v1.Health/Check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service: 'x'.repeat(100_000) }),
  })
  assert.equal(response.status, 413)
  assert.deepEqual(await response.json(), {
    code: 'resource_exhausted',
    message: 'the request has more than the 65536 bytes that are allowed',
  })
})

test('a request over HTTP/2 that is not whole in time is reset, and a watch whose request was lives on', async () => {
  // On a busy machine, the request of the watch takes a second.
  await using server = await startTestServer({ limits: { maxRequestMs: 3_000 } })
  await using watching = await createTestClient([server.address])
  const watch = watching.watch({})[Symbol.asyncIterator]()
  await watch.next()
  const session = http2.connect(server.address)
  const headers = { ...(await withToken()), 'content-type': 'application/json', ':method': 'POST' }
  const request = session.request({ ...headers, ':path': '/grpc.health.v1.Health/List' })
  request.on('error', () => undefined)
  request.write('{')
  await once(request, 'close')
  assert.equal(request.rstCode, http2.constants.NGHTTP2_CANCEL)
  session.close()
  server.ready(false)
  assert.equal((await watch.next()).value?.status, ServingStatus.NOT_SERVING)
  await watch.return?.()
})

test('another spelling of a path reaches no RPC', async () => {
  await using server = await startTestServer()
  for (const spelling of spellings) {
    const head = `POST ${spelling} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close`
    const answer = await rawExchange(server.port, `${head}\r\n\r\n{}`)
    assert.match(answer, /^HTTP\/1\.1 40[04]/, spelling)
  }
})

test('disposal ends what is in flight, refuses what is new and ends the watches', async () => {
  const called = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = await startTestServer({
    rpcs: {
      list: async () => {
        called.resolve()
        await release.promise
        return { statuses: { ended: {} } }
      },
    },
  })
  await using client = await createTestClient([server.address])
  const watch = client.watch({})[Symbol.asyncIterator]()
  assert.equal((await watch.next()).value?.status, ServingStatus.SERVING)
  const idle = net.connect(server.port, '127.0.0.1')
  await once(idle, 'connect')
  const idleEnd = Array.fromAsync(idle)
  const call = client.list({})
  await called.promise
  const closed = server[Symbol.asyncDispose]()
  assert.equal((await watch.next()).value?.status, ServingStatus.NOT_SERVING)
  assert.equal((await watch.next()).done, true)
  await using late = await createTestClient([server.address])
  await assert.rejects(late.list({}), UnavailableError)
  release.resolve()
  assert.deepEqual(Object.keys((await call).statuses), ['ended'])
  await closed
  assert.equal((await idleEnd).length, 0)
})

test('a call that outlives the drain deadline is aborted as unavailable', async () => {
  const called = Promise.withResolvers<AbortSignal>()
  const server = await startTestServer({
    drainTimeoutMs: 50,
    rpcs: {
      list: (_, { signal }) => {
        called.resolve(signal)
        return new Promise(() => {})
      },
    },
  })
  await using client = await createTestClient([server.address])
  const call = assert.rejects(client.list({}), {
    name: 'UnavailableError',
    message: 'the server is shutting down',
  })
  const signal = await called.promise
  await server[Symbol.asyncDispose]()
  await call
  assert.equal(signal.aborted, true)
})

test('a socket file of a live process stays, one that a dead process left is replaced', async () => {
  await using directory = await temporaryDirectory()
  const listen = `unix:${path.join(directory.path, 'rpc.sock')}`
  await using served = await startProcess('0', listen)
  await assert.rejects(startTestServer({ listen }), {
    code: 'EADDRINUSE',
    message: /the address is in use; .* give another with --listen/,
  })
  served.child.kill('SIGKILL')
  await served.exited
  await using server = await startTestServer({ listen })
  await using client = await createTestClient([server.address])
  assert.equal((await client.check({})).status, ServingStatus.SERVING)
})

test('every answer says how browsers have to treat it', async () => {
  await using server = await startTestServer({
    httpRoutes: (request, response) => {
      if (request.url !== '/own') return false
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.end('own')
      return true
    },
  })
  const expected = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'strict-transport-security': null,
  }
  const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  const requests: [string, RequestInit][] = [
    ['/healthz', {}],
    ['/readyz', {}],
    ['/own', {}],
    ['/nowhere', {}],
    ['/grpc.health.v1.Health/Check', call],
    ['/grpc.health.v1.Health/List', call],
    ['/unknown.Service/Method', { ...call, headers: { 'content-type': 'application/grpc-web' } }],
  ]
  for (const [page, request] of requests) {
    const { headers } = await fetch(server.address + page, request)
    const found = Object.keys(expected).map((name) => [name, headers.get(name)])
    assert.deepEqual(Object.fromEntries(found), expected, page)
  }
  const raw = await rawExchange(server.port, 'GET /healthz HTTP/9.9\r\n\r\n')
  assert.match(raw, /^HTTP\/1\.1 400 Bad Request\r\n/)
  assert.match(raw, /\r\nx-content-type-options: nosniff\r\n/)
})
