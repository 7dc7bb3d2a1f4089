import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { test } from 'node:test'
import { Client, connectivityState, credentials } from '@grpc/grpc-js'
import { issue, makeAuthority, noOpenssl } from '../certificate-fixture.ts'
import { createTestClient, startTestServer, temporaryDirectory } from '../server-fixture.ts'
import { callHead, frame, frameType, openWire } from './http2-wire-fixture.ts'

const ending = 'a connection was ended'

/** Connects as grpc-go with round_robin does, and resolves when the server has closed the connection. */
async function connectWithoutCall(address: string): Promise<void> {
  const client = new Client(address.replace('http://', ''), credentials.createInsecure())
  await new Promise<void>((resolve, reject) => {
    client.waitForReady(Date.now() + 60_000, (error) => (error ? reject(error) : resolve()))
  })
  const channel = client.getChannel()
  await new Promise<void>((resolve) => {
    channel.watchConnectivityState(connectivityState.READY, Infinity, () => resolve())
  })
  client.close()
}

test('clients that connect before they call get a goodbye, and their address is not shut out', async () => {
  await using server = await startTestServer({ limits: { firstCallMs: 50 } })
  for (let connection = 0; connection < 4; connection++) await connectWithoutCall(server.address)
  const session = http2.connect(server.address)
  const [code] = await once(session, 'goaway')
  assert.equal(code, http2.constants.NGHTTP2_NO_ERROR)
  await once(session, 'close')
  assert.deepEqual(
    server.lines.filter(({ msg }) => msg === ending),
    [],
  )
  await using client = await createTestClient([server.address])
  await client.check({})
})

test('a handshake that is never finished is hostile, and a head without an end is closed in time', async () => {
  await using server = await startTestServer({ limits: { firstCallMs: 50, farewellMs: 50 } })
  using wire = await openWire(server.port)
  await wire.send(frame(frameType.headers, 0, 1, callHead('/grpc.health.v1.Health/Check')))
  await wire.closed
  for (let connection = 0; connection < 3; connection++) {
    const socket = net.connect(server.port, '127.0.0.1').resume()
    socket.on('error', () => undefined)
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    await once(socket, 'close')
  }
  assert.deepEqual(
    server.lines.filter(({ msg }) => msg === ending).map(({ reason }) => reason),
    Array.from({ length: 3 }, () => 'it never greeted'),
  )
  await assert.rejects(fetch(`${server.address}/healthz`))
})

test('connections over HTTP/1.1 are kept longer than proxies keep them', async () => {
  await using server = await startTestServer()
  const { headers } = await fetch(`${server.address}/healthz`)
  assert.equal(headers.get('keep-alive'), 'timeout=75')
  await using other = await startTestServer({ limits: { keepAliveMs: 120_000 } })
  assert.equal((await fetch(`${other.address}/healthz`)).headers.get('keep-alive'), 'timeout=120')
})

test('connections over HTTP/1.1 with TLS are kept as long', { skip: noOpenssl }, async () => {
  await using directory = await temporaryDirectory()
  makeAuthority(directory.path, 'authority')
  const tls = issue(directory.path, 'authority', 'server', 'IP:127.0.0.1')
  await using server = await startTestServer({ tls })
  const agent = new https.Agent({ keepAlive: true, ca: readFileSync(tls.caFile) })
  const [response] = await once(https.get(`${server.address}/healthz`, { agent }), 'response')
  response.resume()
  assert.equal(response.headers['keep-alive'], 'timeout=75')
  agent.destroy()
})

const greeting = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(frameType.settings, 0, 0),
])
const getHealth = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

test('a request that comes on a kept connection after the drain began is answered, with the word that it was the last', async () => {
  const server = await startTestServer({ limits: { farewellMs: 60_000 }, drainTimeoutMs: 120_000 })
  const socket = net.connect(server.port, '127.0.0.1').setEncoding('latin1')
  socket.write(getHealth)
  const [first] = await once(socket, 'data')
  assert.match(first, /^HTTP\/1\.1 200.*\r\nConnection: keep-alive\r\n/s)
  const closing = server[Symbol.asyncDispose]()
  socket.write(getHealth)
  const second = (await Array.fromAsync(socket)).join('')
  assert.match(second, /^HTTP\/1\.1 200.*\r\nConnection: close\r\n/s)
  await closing
})

test('a request in flight when the drain begins is answered, with the word that it was the last', async () => {
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = await startTestServer({
    httpRoutes: (_, response) => {
      begun.resolve()
      void release.promise.then(() => response.end('own'))
      return true
    },
  })
  const answer = fetch(`${server.address}/own`)
  await begun.promise
  const closing = server[Symbol.asyncDispose]()
  release.resolve()
  assert.equal((await answer).headers.get('connection'), 'close')
  assert.equal(await (await answer).text(), 'own')
  await closing
})

test('a call over HTTP/2 that is on its way when the drain begins is refused in the way that clients repeat', async () => {
  const server = await startTestServer()
  const session = http2.connect(server.address)
  await once(session, 'remoteSettings')
  const goaway = once(session, 'goaway')
  const closing = server[Symbol.asyncDispose]()
  const request = session.request({ ':path': '/healthz' })
  await assert.rejects(once(request, 'response'), { code: 'ERR_HTTP2_STREAM_ERROR' })
  assert.equal(request.rstCode, http2.constants.NGHTTP2_REFUSED_STREAM)
  assert.equal((await goaway)[0], http2.constants.NGHTTP2_NO_ERROR)
  await closing
})

test('connections without a request end when the time for goodbyes is over', async () => {
  const server = await startTestServer({ limits: { farewellMs: 50 } })
  const silent = net.connect(server.port, '127.0.0.1').resume()
  const kept = net.connect(server.port, '127.0.0.1').setEncoding('latin1')
  kept.write(getHealth)
  await once(kept, 'data')
  // It hears of nothing, so it does not leave.
  const deaf = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  deaf.write(greeting)
  deaf.on('error', () => undefined)
  await once(deaf, 'data')
  const closed = Promise.all([once(silent, 'close'), once(kept, 'close')])
  await server[Symbol.asyncDispose]()
  await closed
  deaf.destroy()
})
