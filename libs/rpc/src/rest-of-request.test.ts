import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { test } from 'node:test'
import { startTestServer, testKey } from './server-fixture.ts'
import { createServiceIdentity } from './service-identity.ts'

const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, ' '), Buffer.from('\r\n')])

test('a connection serves the next request at once after one that was answered before it was whole', async () => {
  await using server = await startTestServer()
  const token = await createServiceIdentity({ key: testKey, service: 'hydrator' }).token('repo-server')
  const socket = net.connect(server.port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (part: string) => (text += part))
  socket.write(
    `POST /grpc.health.v1.Health/List HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  for (let index = 0; index < 4; index++) socket.write(chunk)
  await once(socket, 'data')
  assert.match(text, /^HTTP\/1\.1 413 /)
  // More than the buffers of the connection take: it only leaves when the server reads it.
  for (let index = 0; index < 1000; index++) socket.write(chunk)
  socket.write('0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await once(socket, 'close')
  assert.match(text, /HTTP\/1\.1 200 /)
})
