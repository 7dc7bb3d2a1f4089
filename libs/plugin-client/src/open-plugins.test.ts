import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import {
  ParametersAnnouncementResponseSchema,
  RepositoryResponseSchema,
} from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { type PluginCall, PluginUnavailableError } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { createServiceIdentity } from '@wadi/rpc/service-identity.ts'
import { openPlugins } from './open-plugins.ts'
import { callOf, startMesh } from './plugins-mesh-fixture.ts'
import { bytes, manifests, startPluginServer } from './plugin-server-fixture.ts'
import { writeTestTree } from './tree-fixture.ts'

const object = '{"apiVersion":"v1","kind":"ConfigMap"}'

test('a plugin gets the files, the variables and the place of the application, and its objects come back', async () => {
  await using mesh = await startMesh({ 'app/a.yaml': 'a', 'big/x': randomBytes(600_000) })
  const server = await mesh.start('tool-v1.sock', { answer: () => manifests(object, 'null') })
  const plugin = await mesh.plugins.get('tool-v1')
  const variables = [
    { name: 'ARGOCD_APP_NAME', value: 'web=1' },
    { name: 'EMPTY', value: '' },
  ]
  assert.deepEqual(await plugin.generate(callOf(mesh.tree, { variables })), {
    manifests: [object],
    warnings: [],
    identity: '',
  })

  const [run] = server.runs
  assert.ok(run)
  const { appName, appRelPath, checksum, size, env } = run.metadata
  assert.deepEqual([run.method, appName, appRelPath], ['GenerateManifest', 'app', 'app'])
  assert.deepEqual(
    env.map(({ name, value }) => ({ name, value })),
    variables,
  )
  assert.equal(checksum, createHash('sha256').update(run.archive).digest('hex'))
  assert.equal(size, BigInt(run.archive.length))
  assert.deepEqual(run.chunkSizes.slice(0, -1), [262_144, 262_144])
  assert.equal(run.authorization, undefined)

  await plugin.generate(callOf(mesh.tree, { path: '' }))
  assert.equal(server.runs[1]?.metadata.appRelPath, '.')
  assert.deepEqual(mesh.plugins.stats, {
    archivesBuilt: 1,
    bytesPacked: mesh.plugins.stats.bytesPacked,
    runs: 2,
  })
})

test('sockets come, go and are made again; other files are not plugins', async () => {
  await using mesh = await startMesh()
  const names = async () => (await mesh.plugins.list()).map(({ name }) => name)
  assert.deepEqual(await names(), [])
  const empty = await mesh.plugins.identity()
  await writeFile(path.join(mesh.directory, 'no-socket.sock'), '')
  const b = await mesh.start('b.sock')
  await mesh.start('a.other', { configuration: { identity: 'one' } })
  assert.deepEqual(await names(), ['a.other', 'b'])
  assert.equal(await mesh.plugins.identity(), '[["a.other","one"],["b",""]]')
  assert.notEqual(await mesh.plugins.identity(), empty)
  assert.equal(b.checks.count, 1, 'asked once for each socket')

  b.die()
  await rm(path.join(mesh.directory, 'b.sock'), { force: true })
  await mesh.start('b.sock', { configuration: { identity: 'two' } })
  assert.equal(await mesh.plugins.identity(), '[["a.other","one"],["b","two"]]')
})

test('a plugin that went away is expected back: it keeps its sources, which fail meanwhile', async () => {
  await using mesh = await startMesh()
  const discoverFileName = 'a.yaml'
  const configuration = { identity: 'one', isDiscoveryConfigured: true, discoverFileName }
  const server = await mesh.start('tool.sock', { configuration })
  const identity = await mesh.plugins.identity()
  server.die()
  await rm(path.join(mesh.directory, 'tool.sock'), { force: true })
  const [plugin] = await mesh.plugins.list()
  assert.deepEqual(plugin?.discovery, { by: 'fileName', pattern: discoverFileName })
  assert.equal(await mesh.plugins.identity(), identity)
  await assert.rejects(plugin.generate(callOf(mesh.tree)), PluginUnavailableError)
  assert.match((await mesh.plugins.report())[0]?.error ?? '', /^plugin tool does not answer/)

  await using back = await startPluginServer(`unix:${mesh.directory}/tool.sock`, {
    configuration,
    answer: () => manifests(object),
  })
  const again = await mesh.plugins.get('tool')
  assert.deepEqual((await again.generate(callOf(mesh.tree))).manifests, [object])
  assert.equal(back.runs.length, 1)
})

test('while a required plugin has not been seen no source can be taken for another kind', async () => {
  await using mesh = await startMesh()
  await using plugins = await openPlugins({
    socketDirectory: mesh.directory,
    required: ['tool'],
    limits: { lookAgainMs: 0 },
  })
  await assert.rejects(plugins.list(), {
    name: 'UnavailableError',
    message: /^plugin "tool" is required/,
  })
  await mesh.start('tool.sock')
  assert.equal((await plugins.list()).length, 1)
})

test('a directory of sockets that does not exist has no plugins', async () => {
  await using plugins = await openPlugins({ socketDirectory: '/nonexistent/wadi/plugins' })
  assert.deepEqual(await plugins.list(), [])
  await assert.rejects(plugins.get('x'), {
    name: 'NotFoundError',
    message: 'no plugin "x": no plugin can be reached',
  })
})

test('the error for an unknown name lists the known names, also those that only lack a version', async () => {
  await using mesh = await startMesh()
  await mesh.start('tool-v1.0.sock')
  await mesh.start('other.sock')
  await assert.rejects(mesh.plugins.get('tool'), {
    name: 'NotFoundError',
    message:
      'no plugin "tool": there are "other", "tool-v1.0"; a plugin with a version is named with it: "tool-v1.0"',
  })
})

test('what a plugin says of itself becomes its discovery and its report', async () => {
  await using mesh = await startMesh()
  const isDiscoveryConfigured = true
  await mesh.start('by-file.sock', { configuration: { isDiscoveryConfigured, discoverFileName: 'x.*' } })
  await mesh.start('by-glob.sock', { configuration: { isDiscoveryConfigured, discoverGlob: '**/x' } })
  await mesh.start('by-command.sock', { configuration: { isDiscoveryConfigured, provideGitCreds: true } })
  await mesh.start('named.sock', {
    configuration: { pluginName: 'named', hasDynamicParameters: true, warnings: ['plugin.yaml:3: odd'] },
  })
  assert.deepEqual(
    (await mesh.plugins.list()).map((plugin) => [plugin.name, plugin.discovery, plugin.wantsGitCredentials]),
    [
      ['by-command', { by: 'remote' }, true],
      ['by-file', { by: 'fileName', pattern: 'x.*' }, false],
      ['by-glob', { by: 'glob', pattern: '**/x' }, false],
      ['named', undefined, false],
    ],
  )
  const report = await mesh.plugins.report()
  const { plugin, ...named } = report.at(-1) ?? {}
  assert.equal(plugin?.name, 'named')
  assert.deepEqual(named, {
    name: 'named',
    endpoint: `unix:${mesh.directory}/named.sock`,
    error: '',
    hasDynamicParameters: true,
    staticAnnouncements: [],
    warnings: ['plugin.yaml:3: odd'],
  })
})

test('endpoints are named by what answers there, with the identity of this service', async () => {
  await using tree = await writeTestTree({ a: 'a' })
  await using server = await startPluginServer('', {
    configuration: { pluginName: 'remote-v2', identity: 'i' },
    answer: () => manifests(object),
  })
  const identity = createServiceIdentity({ key: randomBytes(32), service: 'repo-server' })
  await using plugins = await openPlugins({ endpoints: [server.endpoint], identity })
  assert.equal(await plugins.identity(), '[["remote-v2","i"]]')
  const plugin = await plugins.get('remote-v2')
  assert.deepEqual((await plugin.generate(callOf(tree))).manifests, [object])
  assert.match(server.runs[0]?.authorization ?? '', /^Bearer ey/)
  await plugins.list()
  assert.equal(server.checks.count, 1, 'kept for a while')
})

test('a server without a name at an endpoint and two plugins of one name are errors that say where', async () => {
  await using mesh = await startMesh()
  await using foreign = await startPluginServer('', {})
  await using nameless = await openPlugins({ endpoints: [foreign.endpoint] })
  await assert.rejects(nameless.list(), {
    name: 'FailedPreconditionError',
    message: new RegExp(`cmp-server at ${foreign.endpoint} does not report the name of its plugin`),
  })

  await mesh.start('same.sock')
  await using other = await startPluginServer('', { configuration: { pluginName: 'same' } })
  await using doubled = await openPlugins({ socketDirectory: mesh.directory, endpoints: [other.endpoint] })
  const both = {
    name: 'FailedPreconditionError',
    message: `2 plugins are named "same": unix:${mesh.directory}/same.sock and ${other.endpoint}; stop or rename all but one`,
  }
  await assert.rejects(doubled.list(), both)
  await assert.rejects(doubled.get('same'), both)
  assert.deepEqual(
    (await doubled.report()).map(({ name, error }) => [name, error.startsWith('2 plugins are named "same"')]),
    [
      ['same', true],
      ['same', true],
    ],
  )
})

test('a match is requested once for the same files, path and variables, whatever the commit is', async () => {
  await using mesh = await startMesh()
  let isSupported = true
  const server = await mesh.start('m.sock', {
    configuration: { isDiscoveryConfigured: true },
    answer: () => bytes(RepositoryResponseSchema, { isSupported, isDiscoveryEnabled: true }),
  })
  const plugin = await mesh.plugins.get('m')
  const at = (revision: string, name = 'web', more: Partial<PluginCall> = {}) => {
    const variables = [
      { name: 'ARGOCD_APP_REVISION_SHORT', value: revision },
      { name: 'ARGOCD_APP_NAME', value: name },
    ]
    return plugin.match(callOf(mesh.tree, { variables, ...more }))
  }
  assert.equal(await at('1'), true)
  isSupported = false
  assert.equal(await at('2'), true)
  assert.equal(server.runs.length, 1)
  assert.equal(await at('2', 'other'), false)
  assert.equal(await at('2', 'web', { path: '' }), false)
  assert.equal(await at('2', 'web', { inputs: ['app'] }), false)
  await mesh.tree.write({ b: 'changed' })
  assert.equal(await at('2'), false)
  assert.equal(server.runs.length, 5)
})

test('a plugin without discovery is not sent files to find out', async () => {
  await using mesh = await startMesh()
  const server = await mesh.start('n.sock')
  assert.equal(await (await mesh.plugins.get('n')).match(callOf(mesh.tree)), false)
  assert.deepEqual([server.runs.length, mesh.plugins.stats.archivesBuilt], [0, 0])
})

test('announcements are read and kept', async () => {
  await using mesh = await startMesh()
  const server = await mesh.start('p.sock', {
    answer: () =>
      bytes(ParametersAnnouncementResponseSchema, {
        parameterAnnouncements: [
          { name: 'replicas', itemType: 'number', string: '3' },
          { title: 'nameless' },
        ],
        warnings: ['odd'],
      }),
  })
  const plugin = await mesh.plugins.get('p')
  const { announcements, warnings } = await plugin.announce(callOf(mesh.tree))
  assert.deepEqual(
    announcements.map(({ name, itemType, default: value }) => [name, itemType, value]),
    [['replicas', 'number', { kind: 'string', text: '3' }]],
  )
  assert.deepEqual(warnings, ['odd', '1 announced parameter has no name and cannot be set'])
  await plugin.announce(callOf(mesh.tree))
  assert.equal(server.runs.length, 1)
})
