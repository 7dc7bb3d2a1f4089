import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'
import { ServiceConnection } from './service-connection.ts'

/** A peer behind a relay that can hold back what is sent; the peer answers a request when it is told to. */
async function startHeldPeer() {
  await using owned = new AsyncDisposableStack()
  const requests: http2.ServerHttp2Stream[] = []
  const peer = http2.createServer().on('stream', (stream: http2.ServerHttp2Stream) => {
    requests.push(stream)
  })
  const sockets: net.Socket[] = []
  let probes = 0
  const relay = net.createServer((socket) => {
    if (sockets.length > 0) {
      probes += 1
      return
    }
    const onward = net.connect(portOf(peer), '127.0.0.1')
    sockets.push(socket, onward)
    socket.pipe(onward).pipe(socket)
  })
  for (const server of [peer, relay]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    owned.defer(() => void server.close())
  }
  const connection = owned.use(
    new ServiceConnection(`http://127.0.0.1:${portOf(relay)}`, () => ({
      pingIntervalMs: 50,
      maxSilenceMs: hangLimitMs,
    })),
  )
  const stream = await connection.request('GET', '/', {}, {})
  stream.on('error', () => undefined)
  owned.defer(() => sockets.forEach((socket) => socket.destroy()))
  await once(peer, 'stream')
  const kept = owned.move()
  return {
    stream,
    relay,
    probes: () => probes,
    answer: () => requests[0]?.respond({ ':status': 204 }, { endStream: true }),
    hold: () => sockets.forEach((socket) => socket.pause()),
    release: () => sockets.forEach((socket) => socket.resume()),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function portOf(server: { address: () => net.AddressInfo | string | null }): number {
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

test('a peer that answers no ping and takes no second connection is gone', async () => {
  await using bed = await startHeldPeer()
  bed.hold()
  bed.relay.close()
  await assert.rejects(once(bed.stream, 'response'), /a second connection is not accepted/)
})

test('a peer that answers no ping but takes connections is only busy, and its answer is taken', async () => {
  await using bed = await startHeldPeer()
  bed.hold()
  const response = once(bed.stream, 'response')
  while (bed.probes() < 5) await pause(20)
  bed.answer()
  bed.release()
  await response
})
