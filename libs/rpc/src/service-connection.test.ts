import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { createTestClient } from './server-fixture.ts'
import { isNotSent, ServiceConnection } from './service-connection.ts'

test('a peer that speaks no HTTP/2 ends calls, one after the other, and never the process', async () => {
  const server = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  try {
    await using client = await createTestClient([`http://127.0.0.1:${address.port}`])
    for (let call = 0; call < 3; call += 1) await assert.rejects(client.list({}), UnavailableError)
  } finally {
    server.close()
  }
})

test('a peer that says goodbye and resets the connection ends the call at once', async () => {
  const server = http2.createServer()
  let resets = 0
  server.on('connection', (socket: net.Socket) => {
    server.once('stream', ({ session }) => {
      session?.once('goaway', () => {
        resets += 1
        socket.resetAndDestroy()
      })
      session?.close()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  try {
    await using client = await createTestClient([`http://127.0.0.1:${address.port}`])
    await assert.rejects(client.list({}), UnavailableError)
    assert.ok(resets > 0)
  } finally {
    server.close()
  }
})

test('a peer that never answers the attempt to connect has received nothing, and the call can move on', async () => {
  const sockets: net.Socket[] = []
  const silent = net.createServer((socket) => void sockets.push(socket))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  assert.ok(address !== null && typeof address === 'object')
  using connection = new ServiceConnection(`https://127.0.0.1:${address.port}`, () => ({
    pingIntervalMs: 3_600_000,
    maxSilenceMs: 3_600_000,
  }))
  try {
    await assert.rejects(connection.request('POST', '/', {}, {}), (error: Error) => {
      assert.match(error.message, /no connection within 5 s/)
      assert.ok(isNotSent(error))
      return true
    })
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})
