import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createClient } from '@connectrpc/connect'
import { createGrpcWebTransport } from '@connectrpc/connect-node'
import { Client, credentials, status } from '@grpc/grpc-js'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import {
  Health,
  HealthCheckResponse_ServingStatus as Serving,
} from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { startTestServer, temporaryDirectory, testKey } from './server-fixture.ts'
import { createServiceIdentity } from './service-identity.ts'

const check = '/grpc.health.v1.Health/Check'
const watch = '/grpc.health.v1.Health/Watch'
const contentType = 'application/grpc-web+proto'
const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

/** A frame without a message in it: every field has its default. */
const emptyFrame = Buffer.alloc(5)

/** The status and the headers of an answer, and its body. */
interface Answer {
  status: number | undefined
  headers: http.IncomingHttpHeaders
  body: Readable
}

type Send = (path: string, headers: Record<string, string>, body?: Buffer) => Promise<Answer>

const overHttp1 =
  (address: string): Send =>
  async (target, headers, body = emptyFrame) => {
    const options = { method: 'POST', headers, rejectUnauthorized: false }
    const { request: start } = address.startsWith('https:') ? https : http
    const request = start(`${address}${target}`, options).end(body)
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject)
    })
    return { status: response.statusCode, headers: response.headers, body: response }
  }

const overHttp2 =
  (session: http2.ClientHttp2Session): Send =>
  async (target, headers, body = emptyFrame) => {
    const stream = session.request({ ':method': 'POST', ':path': target, ...headers }).end(body)
    const head = await new Promise<http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader>(
      (resolve, reject) => {
        stream.once('response', resolve).once('error', reject)
      },
    )
    return { status: head[':status'], headers: head, body: stream }
  }

async function serviceToken(): Promise<string> {
  return `Bearer ${await createServiceIdentity({ key: testKey, service: 'hydrator' }).token('repo-server')}`
}

/** Checks the errors that every client of a failing server must see, by any protocol. */
async function checkErrors(send: Send): Promise<void> {
  const failed = await send(check, { 'content-type': contentType, 'grpc-accept-encoding': 'gzip,identity' })
  assert.equal(failed.status, 200)
  assert.equal(failed.headers['grpc-status'], '5')
  assert.equal(failed.headers['grpc-message'], 'set "x" is 100%25 gr%C3%B6%C3%9Fer%0A than a, b & c')
  const body = await buffer(failed.body)
  assert.equal(body[0], 128, 'the trailers stand in the body too, for clients that look there')
  assert.match(body.toString(), /grpc-status: 5\r\n/)

  for (const missing of ['/grpc.health.v1.Health/Nothing', '/a.B/C']) {
    for (const type of [contentType, 'application/grpc-web', 'application/grpc+proto', 'application/grpc']) {
      const answer = await send(missing, { 'content-type': type })
      assert.deepEqual(
        [answer.status, answer.headers['content-type'], answer.headers['grpc-status']],
        [200, type, '12'],
      )
      assert.equal(answer.headers['grpc-message'], `the method ${missing} is unknown`)
      assert.equal((await buffer(answer.body)).length, 0)
    }
    const answer = await send(missing, { 'content-type': 'application/json' })
    assert.equal(answer.status, 404)
    answer.body.resume()
  }
}

const failing = {
  check: () => {
    throw new NotFoundError('set "x" is 100% größer\n than a, b & c')
  },
}

test('the status of a failed gRPC-web call is in the head of its answer', async () => {
  await using server = await startTestServer({ rpcs: failing })
  await checkErrors(overHttp1(server.address))
  const session = http2.connect(server.address)
  await checkErrors(overHttp2(session))
  session.close()
})

test('a caller who is refused before the call is read finds the reason there', async () => {
  await using server = await startTestServer()
  const answer = await overHttp1(server.address)(watch, { 'content-type': contentType })
  assert.equal(answer.headers['grpc-status'], '16')
  assert.match(String(answer.headers['grpc-message']), /^the call carries neither a service token nor /)
  answer.body.resume()
})

test('with TLS it is there too', { skip: noOpenssl }, async () => {
  await using directory = await temporaryDirectory()
  const [certFile, keyFile] = ['server.crt', 'server.key'].map((name) => path.join(directory.path, name))
  assert.ok(certFile && keyFile)
  execFileSync(
    'openssl',
    [
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ['-subj', '/CN=localhost', '-keyout', keyFile, '-out', certFile],
    ].flat(),
    { stdio: 'ignore' },
  )
  await using server = await startTestServer({ rpcs: failing, tls: { certFile, keyFile } })
  await checkErrors(overHttp1(server.address))
  const session = http2.connect(server.address, { rejectUnauthorized: false })
  await checkErrors(overHttp2(session))
  session.close()
})

test('an answer with a message has its status after it, and nothing is compressed', async () => {
  await using server = await startTestServer()
  const headers = { 'content-type': contentType, 'grpc-accept-encoding': 'gzip,identity' }
  const answer = await overHttp1(server.address)(check, headers)
  assert.equal(answer.headers['grpc-status'], undefined)
  assert.equal(answer.headers['grpc-encoding'], undefined)
  const body = await buffer(answer.body)
  assert.deepEqual([...body.subarray(0, 7)], [0, 0, 0, 0, 2, 8, Serving.SERVING])
  assert.equal(body[7], 128)
  assert.match(body.subarray(12).toString(), /^grpc-status: 0\r\n/)
})

test('the messages of a stream come while it continues', async () => {
  await using server = await startTestServer()
  const headers = { 'content-type': contentType, authorization: await serviceToken() }
  const answer = await overHttp1(server.address)(watch, headers)
  assert.equal(answer.headers['grpc-status'], undefined)
  const chunks = answer.body[Symbol.asyncIterator]()
  const statusOf = (chunk: Buffer) => chunk[6]
  assert.equal(statusOf((await chunks.next()).value), Serving.SERVING)
  server.ready(false)
  assert.equal(statusOf((await chunks.next()).value), Serving.NOT_SERVING)
  answer.body.destroy()
  await once(answer.body, 'close')
})

test("Connect's own gRPC-web client reads failures, messages and streams as before", async () => {
  await using server = await startTestServer({ rpcs: failing })
  const token = await serviceToken()
  const client = createClient(
    Health,
    createGrpcWebTransport({
      baseUrl: server.address,
      httpVersion: '1.1',
      interceptors: [
        (next) => (request) => {
          request.header.set('authorization', token)
          return next(request)
        },
      ],
    }),
  )
  await assert.rejects(client.check({}), {
    name: 'ConnectError',
    rawMessage: 'set "x" is 100% größer\n than a, b & c',
  })
  assert.deepEqual(Object.keys((await client.list({})).statuses).includes(''), true)
  const end = new AbortController()
  for await (const { status: seen } of client.watch({}, { signal: end.signal })) {
    assert.equal(seen, Serving.SERVING)
    break
  }
  end.abort()
})

test('grpc-js reads that a method is not there', async () => {
  await using server = await startTestServer()
  const client = new Client(server.address.replace('http://', ''), credentials.createInsecure())
  const same = (bytes: Buffer) => bytes
  const call = new Promise((resolve, reject) => {
    client.makeUnaryRequest('/a.B/C', same, same, Buffer.alloc(0), (error, answer) =>
      error === null ? resolve(answer) : reject(error),
    )
  })
  await assert.rejects(call, {
    code: status.UNIMPLEMENTED,
    details: 'the method /a.B/C is unknown',
  })
  client.close()
})
