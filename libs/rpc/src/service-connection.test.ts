import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { createTestClient } from './server-fixture.ts'

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
