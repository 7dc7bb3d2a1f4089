import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import { test } from 'node:test'
import { ArgocdPluginServer } from './argocd-plugin-server-fixture.ts'
import { pluginCall, startRepoServerSide } from './plugin-client-fixture.ts'

const manifest = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made"}}'
const later = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"later"}}'
const unavailable = { name: 'UnavailableError' }

test('a server that dies in the middle of a run is unavailable, and the next run finds the one that takes its place', async () => {
  const started = Promise.withResolvers<void>()
  await using side = await startRepoServerSide('tool', {
    generate: () => {
      started.resolve()
      return new Promise<never>(() => undefined)
    },
  })
  const call = pluginCall(side.tree, 'apps/one')
  const plugin = await side.plugins.get('tool')
  const run = plugin.generate(call)
  await started.promise
  await Promise.all([assert.rejects(run, unavailable), side.server[Symbol.asyncDispose]()])
  await assert.rejects(plugin.generate(call), unavailable)
  await assert.rejects((await side.plugins.get('tool')).generate(call), unavailable)

  await using next = await ArgocdPluginServer.start(side.sockets, 'tool', { generate: () => [later] })
  const found = await side.plugins.get('tool')
  assert.deepEqual((await found.generate(call)).manifests, [later])
  assert.deepEqual((await plugin.generate(call)).manifests, [later])
  assert.equal(next.checks, 1)
})

test('a connection that breaks is opened again, by the next call at the latest', async () => {
  await using side = await startRepoServerSide('tool', { generate: () => [manifest] })
  const plugin = await side.plugins.get('tool')
  const generate = () => plugin.generate(pluginCall(side.tree, 'apps/one'))
  for (let round = 1; round <= 3; round += 1) {
    // The call that comes while the connection breaks may be lost with it.
    const { manifests } = await generate().catch((error: unknown) => {
      assert.ok(error instanceof Error && error.name === unavailable.name && round > 1)
      return generate()
    })
    assert.deepEqual(manifests, [manifest])
    assert.equal(side.server.relay.connections, round)
    side.server.relay.breakConnections()
  }
})

test('a client that the server sends away comes back with the next call', async () => {
  await using side = await startRepoServerSide('tool', { generate: () => [manifest] })
  const plugin = await side.plugins.get('tool')
  const call = pluginCall(side.tree, 'apps/one')
  await plugin.generate(call)
  side.server.relay.sendAway()
  assert.equal(side.server.relay.sentAway, 1)
  const { manifests } = await plugin.generate(call).catch((error: unknown) => {
    assert.ok(error instanceof Error && error.name === unavailable.name)
    return plugin.generate(call)
  })
  assert.deepEqual(manifests, [manifest])
  assert.equal(side.server.relay.connections, 2)
})

test("the server's watch over pings works: a client that pings without a call is sent away", async () => {
  await using side = await startRepoServerSide('tool', {})
  const { relay } = side.server
  const socket = { createConnection: () => net.connect(relay.path) }
  const session = http2.connect('http://localhost', socket)
  await once(session, 'connect')
  session.on('error', () => undefined)
  const away = once(session, 'goaway')
  for (let ping = 0; ping < 3; ping += 1) {
    await new Promise((answered) => session.ping(answered))
  }
  assert.equal(relay.sentAway, 0)
  session.ping(() => undefined)
  const [code, , text] = await away
  assert.deepEqual([code, String(text)], [http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings'])
  assert.deepEqual([relay.pings, relay.sentAway], [4, 1])
  session.destroy()
})

test('plugins are listed in the order of their sockets, and another set has another identity', async () => {
  await using side = await startRepoServerSide('second', { isDiscoveryConfigured: true })
  const alone = await side.plugins.identity()
  await using first = await ArgocdPluginServer.start(side.sockets, 'first-v1', { provideGitCreds: true })
  const listed = await side.plugins.list()
  assert.deepEqual(
    listed.map(({ name, wantsGitCredentials }) => [name, wantsGitCredentials]),
    [
      ['first-v1', true],
      ['second', false],
    ],
  )
  assert.notEqual(await side.plugins.identity(), alone)
  await assert.rejects(side.plugins.get('third'), { name: 'NotFoundError', message: /"first-v1", "second"/ })
  assert.deepEqual([first.checks, first.streams.length], [1, 0])
})

test('a socket that nobody answers on makes the list fail instead of being left out', async () => {
  await using side = await startRepoServerSide('tool', {})
  await using dead = await ArgocdPluginServer.start(side.sockets, 'dead', { busyChecks: 1_000 })
  await assert.rejects(side.plugins.list())
  assert.ok(dead.checks >= 1)
})
