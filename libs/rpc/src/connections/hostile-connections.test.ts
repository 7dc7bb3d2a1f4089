import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import { test } from 'node:test'
import { createTestClient, startTestServer } from '../server-fixture.ts'
import { callHead, field, frame, frameType, openAndReset, openWire } from './http2-wire-fixture.ts'

const head = callHead('/grpc.health.v1.Health/List')
const ending = 'a connection was ended'

async function sendUntilClosed(
  wire: Awaited<ReturnType<typeof openWire>>,
  count: number,
  bytes: (index: number) => Buffer,
): Promise<void> {
  const batch = 100
  let isOpen = true
  for (let sent = 0; isOpen && sent < count; sent += batch) {
    isOpen = await wire.send(Buffer.concat(Array.from({ length: batch }, (_, index) => bytes(sent + index))))
  }
  await wire.closed
}

test('a connection that opens and resets calls is ended, and after three of them their peer gets no new one', async () => {
  await using server = await startTestServer()
  await using honest = await createTestClient([server.address])
  await honest.check({})
  for (let connection = 0; connection < 3; connection++) {
    using wire = await openWire(server.port)
    await sendUntilClosed(wire, 30_000, (index) => openAndReset(index, head))
  }
  const endings = server.lines.filter((line) => line['msg'] === ending)
  assert.deepEqual(
    endings.map(({ reason, peer }) => [reason, peer]),
    Array.from({ length: 3 }, () => ['too many calls were cut off', '127.0.0.1']),
  )
  using refused = await openWire(server.port)
  await refused.closed
  // The connections that the peer has already live on.
  await honest.check({})
})

test('what was reset in the packet that opened it reaches no handler', async () => {
  await using server = await startTestServer()
  using wire = await openWire(server.port)
  await wire.send(Buffer.concat(Array.from({ length: 100 }, (_, index) => openAndReset(index, head))))
  await using honest = await createTestClient([server.address])
  await honest.check({})
  const refused = server.lines.filter((line) => line['msg'] === 'call refused')
  assert.equal(refused.length, 0)
})

test('a client that cancels hundreds of its calls keeps its connection', async () => {
  const waiting = Promise.withResolvers<void>()
  let calls = 0
  await using server = await startTestServer({
    rpcs: {
      list: async (_, { signal }) => {
        if (++calls % 100 === 0) waiting.resolve()
        await once(signal, 'abort')
        return {}
      },
    },
  })
  await using client = await createTestClient([server.address])
  const abort = new AbortController()
  const cancelled = Array.from({ length: 200 }, () =>
    assert.rejects(client.list({}, { signal: abort.signal }), { name: 'CanceledError' }),
  )
  await waiting.promise
  abort.abort()
  await Promise.all(cancelled)
  await client.check({})
  assert.deepEqual(
    server.lines.filter((line) => line['msg'] === ending),
    [],
  )
})

test('a client in Go takes leave as often as it likes', async () => {
  await using server = await startTestServer()
  // The highest number that a call can have, and no error.
  const farewell = frame(frameType.goAway, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]))
  for (let connection = 0; connection < 5; connection++) {
    using wire = await openWire(server.port)
    await wire.send(farewell)
    await wire.closed
  }
  assert.deepEqual(
    server.lines.filter((line) => line['msg'] === ending),
    [],
  )
  await using client = await createTestClient([server.address])
  await client.check({})
})

const floods: Record<string, (index: number) => Buffer> = {
  pings: () => frame(frameType.ping, 0, 0, Buffer.alloc(8)),
  settings: () => frame(frameType.settings, 0, 0),
  'empty data': (index) => (index === 0 ? frame(frameType.headers, 4, 1, head) : frame(frameType.data, 0, 1)),
  'a head without end': (index) =>
    index === 0
      ? frame(frameType.headers, 0, 1, head)
      : frame(frameType.continuation, 0, 1, field(`x-${index}`, 'x'.repeat(100))),
  'calls without an answer in between': (index) => frame(frameType.headers, 5, 2 * index + 1, head),
}
for (const [name, bytes] of Object.entries(floods)) {
  test(`a flood of ${name} ends its connection, and the server answers others`, async () => {
    await using server = await startTestServer()
    using wire = await openWire(server.port)
    await sendUntilClosed(wire, 100_000, bytes)
    assert.equal((await fetch(`${server.address}/healthz`)).status, 200)
  })
}

test('a peer has so many connections at a time, and a new one when one of them is closed', async () => {
  await using server = await startTestServer({ limits: { maxPeerConnections: 3 } })
  const sockets = []
  for (let index = 0; index < 3; index++) {
    const socket = net.connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    sockets.push(socket)
  }
  const answers = async () => {
    try {
      const agent = new http.Agent()
      const request = http.get(`${server.address}/healthz`, { agent })
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      response.resume()
      return response.statusCode
    } catch {
      return 'refused'
    }
  }
  assert.equal(await answers(), 'refused')
  const [first] = sockets
  first?.destroy()
  let answer: unknown = 'refused'
  const deadline = performance.now() + 10_000
  while (answer === 'refused' && performance.now() < deadline) answer = await answers()
  assert.equal(answer, 200)
  for (const socket of sockets) socket.destroy()
})

test('a connection that sends no call is ended in time, whichever protocol it began', async () => {
  await using server = await startTestServer({ limits: { firstCallMs: 100 } })
  const beginnings = [
    'PRI * HTTP/2.0\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A',
  ]
  for (const beginning of beginnings) {
    const socket = net.connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.resume()
    socket.write(beginning)
    await once(socket, 'close')
  }
})

test('an idle connection is closed in time with a goodbye, one with a call is not', async () => {
  await using server = await startTestServer({ limits: { idleMs: 100 } })
  await using watching = await createTestClient([server.address])
  const watch = watching.watch({})[Symbol.asyncIterator]()
  await watch.next()
  const session = http2.connect(server.address)
  const goaway = once(session, 'goaway')
  const request = session.request({ ':path': '/healthz' })
  request.resume()
  await once(request, 'close')
  assert.equal((await goaway)[0], http2.constants.NGHTTP2_NO_ERROR)
  server.ready(false)
  assert.equal((await watch.next()).done, false)
  await watch.return?.()
})
