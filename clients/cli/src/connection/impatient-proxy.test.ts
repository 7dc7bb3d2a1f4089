import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { listen } from '../testing/http-listener-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

/** Passes connections on, and cuts those on which nothing came from the server for a time, as an ingress does. */
async function startImpatientProxy(
  target: string,
  idleMs: number,
): Promise<AsyncDisposable & { address: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const origin = connect(Number(target.split(':').at(-1)), '127.0.0.1')
    const cut = () => {
      client.destroy()
      origin.destroy()
    }
    for (const socket of [client, origin]) sockets.add(socket.once('close', cut).on('error', cut))
    client.pipe(origin).pipe(client)
    origin.setTimeout(idleMs, cut)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    address: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

test('a wait behind a proxy that cuts idle streams comes to its end, and says what to set', async () => {
  await using gateway = await Gateway.start()
  await using proxy = await startImpatientProxy(gateway.address, 2_000)
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrating', dry: '1' }))
  const waiting = runWadi(['app', 'wait', 'a'], {
    environment: { ...gateway.environment, WADI_SERVER: `http://${proxy.address}` },
  })
  const streams = () => gateway.calls.filter(({ method }) => method === 'WatchApplications').length
  await until(() => streams() > 3)
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrated', dry: '1' }))
  const { stderr, code } = await waiting
  assert.equal(code, 0, stderr)
  const [first, hint, last, ...others] = stderr.trim().split('\n')
  assert.deepEqual([first, last, others], ['a: Hydrating 1111111', 'a: Hydrated 1111111 as aaaaaaa', []])
  assert.match(
    hint ?? '',
    /^the connection to the server was cut after 2\.?\d* s, 3 times in a row; it is opened again each time\. .*proxy-read-timeout: '3600'/,
  )
})

test('an answer that a proxy did not wait for is an error that says what to set', async () => {
  await using proxy = await listen((_request, response) => {
    response.writeHead(504, { 'content-type': 'text/html' }).end('<html>504 Gateway Time-out</html>')
  })
  const { stderr, code } = await runWadi(['app', 'hydrate', 'a'], { environment: { WADI_SERVER: proxy.url } })
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /a proxy did not wait for the answer of http:\S+ \(HTTP 504\): raise the time limit of the proxy/,
  )
})

test('a comparison that a proxy cuts is an error that says when and what to set', async () => {
  await using proxy = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/connect+json' }).flushHeaders()
    setTimeout(() => response.destroy(), 300)
  })
  const args = ['diff', '--repo', 'https://git.example.com/deploy.git', '--revision', 'feature']
  const { stderr, code } = await runWadi(args, { environment: { WADI_SERVER: proxy.url } })
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /the connection was cut 0\.\d s after the comparison began \(.+\); .* raise the time limit of the proxy/,
  )
})
