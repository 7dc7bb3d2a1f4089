import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createClient } from '@connectrpc/connect'
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startApiGateway } from './api-gateway.ts'
import { toStruct } from './applications/read-application.ts'
import { sampleApplication } from './gateway-fixture.ts'
import { apiGatewaySettings } from './settings.ts'

const count = 60
const listPath = '/wadi.api_gateway.v1.ApplicationService/ListApplications'

const directory = await usedByFile(mkdtempDisposable(join(tmpdir(), 'wadi-gateway-')))
const env = {
  WADI_LISTEN: '127.0.0.1:0',
  WADI_DATA_DIR: directory.path,
  WADI_SERVICE_KEY_FILE: join(directory.path, 'service.key'),
  WADI_HYDRATORS: `unix:${directory.path}/hydrator.sock`,
  WADI_LOG_LEVEL: 'error',
  WADI_IDLE_GRACE: '0s',
}
const gateway = await usedByFile(startApiGateway(readSettings(apiGatewaySettings, { env, argv: [] })))
const authorization = `Bearer ${(await readFile(join(directory.path, 'admin.token'), 'utf8')).trim()}`
const { createApplication } = createClient(
  ApplicationService,
  createConnectTransport({ baseUrl: gateway.address, httpVersion: '1.1' }),
)
for (let index = 0; index < count; index++) {
  const application = toStruct(sampleApplication(`web-${index}`))
  await createApplication({ application }, { headers: { authorization } })
}

async function post(headers: Record<string, string>, body: Uint8Array) {
  const request = http.request(gateway.address + listPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization, ...headers },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

test('a long list is compressed for who accepts it, over Connect', async () => {
  const plain = await post({}, Buffer.from('{}'))
  assert.equal(plain.headers['content-encoding'], undefined)
  const packed = await post({ 'accept-encoding': 'gzip' }, Buffer.from('{}'))
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.ok(packed.body.length < plain.body.length / 4)
  assert.deepEqual(gunzipSync(packed.body), plain.body)
})

test('a long list is compressed over gRPC-web', async () => {
  const transport = createGrpcWebTransport({ baseUrl: gateway.address, httpVersion: '1.1' })
  let encoding: string | null = null
  const answer = await createClient(ApplicationService, transport).listApplications(
    {},
    { headers: { authorization }, onHeader: (headers) => (encoding = headers.get('grpc-encoding')) },
  )
  assert.deepEqual([answer.applications.length, encoding], [count, 'gzip'])
})

test('a client that compresses its requests is answered over gRPC', async () => {
  const transport = createGrpcTransport({
    baseUrl: gateway.address,
    idleConnectionTimeoutMs: 1,
    sendCompression: compressionGzip,
    compressMinBytes: 1,
  })
  const answer = await createClient(ApplicationService, transport).listApplications(
    { projects: ['default'] },
    { headers: { authorization } },
  )
  assert.equal(answer.applications.length, count)
})

test('what a compressed request may become is bounded, and broken ones are the fault of their sender', async () => {
  const encoding = { 'content-encoding': 'gzip' }
  assert.equal((await post(encoding, gzipSync('{}'))).status, 200)
  const bomb = await post(encoding, gzipSync(Buffer.alloc(17 * 1024 ** 2, ' ')))
  assert.equal(bomb.status, 413)
  assert.match(bomb.body.toString(), /more than the \d+ bytes that are allowed/)
  for (const broken of [Buffer.from('{}'), gzipSync('{ }').subarray(0, 15)]) {
    const { status, body } = await post(encoding, broken)
    assert.equal(status, 400)
    assert.match(body.toString(), /"invalid_argument"/)
  }
})
