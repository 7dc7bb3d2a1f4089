import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { type DescMessage, type MessageShape, create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { EmptySchema } from '@bufbuild/protobuf/wkt'
import { Client, credentials } from '@grpc/grpc-js'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  AppStreamRequestSchema,
  CheckPluginConfigurationResponseSchema,
  ConfigManagementPluginService,
  ManifestResponseSchema,
  RepositoryResponseSchema,
} from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { archiveOf, requestsOf } from './archive/archive-fixture.ts'
import { startServer, stream } from './cmp-server-fixture.ts'

const pluginFile = `
kind: ConfigManagementPlugin
metadata: {name: tool}
spec:
  version: v1
  init: {command: [sh, -c, 'echo prepared > state']}
  generate:
    command: [sh, -c]
    args:
    - |
      [ "$(cat state)" = prepared ] || exit 9
      printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: %s}\\ndata: {set: %s}\\n' "$PARAM_NAME" "\${WADI_PLUGIN-unset}"
  discover: {fileName: 'tool.*'}
  parameters:
    static: [{name: fixed, title: Fixed}, {name: printed, title: Of the file, string: "2"}]
    dynamic: {command: [sh, -c, 'cat params.json']}
`

const archive = await archiveOf([
  { name: 'apps/one/tool.yaml', text: 'a: b' },
  { name: 'apps/one/params.json', text: '[{"name":"printed","itemType":"number","string":"1"}]' },
  { name: 'apps/two/other.yaml', text: 'a: b' },
])
const env = [{ name: 'PARAM_NAME', value: 'made' }]
const manifest = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made"},"data":{"set":"unset"}}'

test('another service has an application matched, generated and its parameters announced', async () => {
  await using mesh = await startServer(pluginFile)
  assert.deepEqual(await readdir(mesh.runs), [], 'left-overs of a crash are gone')
  const { client } = mesh
  const one = () => stream(requestsOf(archive, { appRelPath: 'apps/one', env }))
  const {
    identity,
    programDigest,
    staticParameters,
    $typeName: _,
    ...reported
  } = await client.checkPluginConfiguration({})
  assert.deepEqual(reported, {
    isDiscoveryConfigured: true,
    provideGitCreds: false,
    pluginName: 'tool-v1',
    discoverFileName: 'tool.*',
    discoverGlob: '',
    hasDynamicParameters: true,
    warnings: [],
    variables: [],
    isStrict: false,
    version: 'v1',
    image: '',
  })
  assert.match(programDigest, /^[0-9a-f]{64}$/)
  assert.match(identity, /^[0-9a-f]{64}$/)
  assert.deepEqual(
    staticParameters.map(({ name, title }) => [name, title]),
    [
      ['fixed', 'Fixed'],
      ['printed', 'Of the file'],
    ],
  )
  assert.equal((await client.matchRepository(one())).isSupported, true)
  const two = await client.matchRepository(stream(requestsOf(archive, { appRelPath: 'apps/two' })))
  assert.deepEqual([two.isSupported, two.isDiscoveryEnabled], [false, true])
  assert.deepEqual((await client.generateManifest(one())).manifests, [manifest])
  const { parameterAnnouncements } = await client.getParametersAnnouncement(one())
  assert.deepEqual(
    parameterAnnouncements.map(({ name, title, itemType, string }) => [name, title, itemType, string]),
    [
      ['printed', 'Of the file', 'number', '1'],
      ['fixed', 'Fixed', '', ''],
    ],
  )
  assert.deepEqual(await readdir(mesh.runs), [])
})

test('a refused call says why and leaves nothing', async () => {
  await using mesh = await startServer(pluginFile)
  const generate = (metadata: Parameters<typeof requestsOf>[1]) =>
    mesh.client.generateManifest(stream(requestsOf(archive, metadata)))
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof InvalidInputError && message.test(error.message)
  await assert.rejects(generate({ checksum: '00' }), refused(/^file checksum validation error$/))
  await assert.rejects(generate({ appRelPath: '../..' }), refused(/illegal appPath/))
  await assert.rejects(generate({ appRelPath: 'apps/none' }), refused(/no directory "apps\/none"/))
  await assert.rejects(generate({ env: [{ name: 'A', value: '\0' }] }), refused(/NUL/))
  await assert.rejects(
    mesh.client.generateManifest(stream(requestsOf(archive).slice(1))),
    refused(/metadata is nil/),
  )
  await assert.rejects(mesh.client.generateManifest(stream([])), refused(/metadata is nil/))
  const announce = mesh.client.getParametersAnnouncement(
    stream(requestsOf(archive, { appRelPath: 'apps/two' })),
  )
  await assert.rejects(announce, refused(/failed exit status 1: cat: params.json: No such file/))
  assert.deepEqual(await readdir(mesh.runs), [])
})

test('a call that its caller gives up stops the command and removes its files', async () => {
  const slow = pluginFile.replace('echo prepared > state', 'sleep 1000')
  await using mesh = await startServer(slow, () => ['--listen', '127.0.0.1:0', '--command-grace', '100ms'])
  const call = mesh.client.generateManifest(stream(requestsOf(archive, { appRelPath: 'apps/one' })), {
    timeoutMs: 500,
  })
  await assert.rejects(call, { name: 'DeadlineExceededError' })
  await mesh.server[Symbol.asyncDispose]()
  assert.deepEqual(await readdir(mesh.runs), [])
})

test("an unknown caller gets no answer on a port, and Argo CD's repo-server one on an open socket", async () => {
  await using closed = await startServer(pluginFile, (directory) => ['--listen', `unix:${directory}/`])
  const shut = new Client(closed.server.address, credentials.createInsecure())
  await assert.rejects(check(shut), /UNAUTHENTICATED/)
  shut.close()

  await using open = await startServer(pluginFile, (directory) => [
    '--listen',
    `unix:${directory}/`,
    '--open-socket',
  ])
  assert.equal(open.server.address, `unix:${open.directory}/tool-v1.sock`)
  const client = new Client(open.server.address, credentials.createInsecure())
  assert.equal((await check(client)).isDiscoveryConfigured, true)
  const requests = requestsOf(archive, { appRelPath: 'apps/one', env })
  const match = await upload(client, 'MatchRepository', RepositoryResponseSchema, requests)
  assert.deepEqual([match.isSupported, match.isDiscoveryEnabled], [true, true])
  const generated = await upload(client, 'GenerateManifest', ManifestResponseSchema, requests)
  assert.deepEqual(generated.manifests, [manifest])
  client.close()
})

test('only a unix socket can be open', async () => {
  await assert.rejects(
    startServer(pluginFile, () => ['--listen', '127.0.0.1:0', '--open-socket']),
    /--open-socket needs a unix socket/,
  )
})

test('a socket that cannot be made is refused with what to do', async () => {
  await assert.rejects(
    startServer(pluginFile, (directory) => ['--listen', `unix:${directory}/none/`]),
    {
      name: 'InvalidInputError',
      message: /^there is no directory ".*\/none" for socket ".*\/none\/tool-v1\.sock"; make it$/,
    },
  )
  await assert.rejects(
    startServer(pluginFile, (directory) => ['--listen', `unix:${directory}/${'n'.repeat(100)}.sock`]),
    { name: 'InvalidInputError', message: /has \d+ bytes, and no more than 107 are possible; shorten/ },
  )
})

test('a service without a plugin runs, reports it and is not ready', async () => {
  await using mesh = await startServer(undefined, undefined, { PATH: '/nowhere' })
  await assert.rejects(
    mesh.client.checkPluginConfiguration({}),
    new FailedPreconditionError('no plugin is configured; name its file with --plugin or WADI_PLUGIN'),
  )
  await assert.rejects(mesh.client.generateManifest(stream(requestsOf(archive))), FailedPreconditionError)
  assert.equal((await fetch(`${mesh.server.address}/healthz`)).status, 200)
  const ready = await fetch(`${mesh.server.address}/readyz`)
  assert.equal(ready.status, 503)
  assert.match(await ready.text(), /^plugin: no plugin is configured/)
})

const service = `/${ConfigManagementPluginService.typeName}`

function check(client: Client): Promise<MessageShape<typeof CheckPluginConfigurationResponseSchema>> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      `${service}/CheckPluginConfiguration`,
      (message: MessageShape<typeof EmptySchema>) => Buffer.from(toBinary(EmptySchema, message)),
      (bytes: Buffer) => fromBinary(CheckPluginConfigurationResponseSchema, bytes),
      create(EmptySchema),
      (error, response) => (response ? resolve(response) : reject(error ?? new Error('no response'))),
    )
  })
}

function upload<O extends DescMessage>(
  client: Client,
  method: string,
  output: O,
  messages: ReturnType<typeof requestsOf>,
): Promise<MessageShape<O>> {
  return new Promise((resolve, reject) => {
    const call = client.makeClientStreamRequest(
      `${service}/${method}`,
      (message: MessageShape<typeof AppStreamRequestSchema>) =>
        Buffer.from(toBinary(AppStreamRequestSchema, message)),
      (bytes: Buffer) => fromBinary(output, bytes),
      (error, response) => (response ? resolve(response) : reject(error ?? new Error('no response'))),
    )
    for (const message of messages) call.write(message)
    call.end()
  })
}
