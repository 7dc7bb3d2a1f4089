import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { ReceivedStream } from './argocd-plugin-server-fixture.ts'
import { largeFile, pluginCall, startRepoServerSide } from './plugin-client-fixture.ts'

const manifest = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made"}}'

function contentOf(stream: ReceivedStream, name: string): string {
  const entry = stream.files.get(name)
  return entry?.kind === 'file' ? entry.content.toString() : ''
}

test('an application is matched, generated and announced as Argo CD does it', async () => {
  await using side = await startRepoServerSide('tool-v1', {
    isDiscoveryConfigured: true,
    match: (stream) => contentOf(stream, `${stream.metadata.appRelPath}/tool.yaml`) !== '',
    generate: (stream) => [manifest, contentOf(stream, 'shared.json')],
  })
  const plugin = await side.plugins.get('tool-v1')
  assert.deepEqual([plugin.name, plugin.identity, plugin.discovery], ['tool-v1', '', { by: 'remote' }])
  assert.equal(plugin.wantsGitCredentials, false)
  assert.equal(await plugin.match(pluginCall(side.tree, 'apps/one')), true)
  assert.equal(await plugin.match(pluginCall(side.tree, 'apps/two')), false)
  const variables = [
    { name: 'ARGOCD_APP_NAME', value: 'guestbook' },
    { name: 'EMPTY', value: '' },
    { name: 'ARGOCD_APP_PARAMETERS', value: '[{"name":"größe","string":"3"}]' },
  ]
  const { manifests, warnings } = await plugin.generate({ ...pluginCall(side.tree, 'apps/one'), variables })
  assert.deepEqual(manifests, [manifest, '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"shared"}}'])
  assert.deepEqual(warnings, [])
  const { method, metadata } = side.server.streams.at(-1) ?? assert.fail('no stream')
  assert.equal(method, 'GenerateManifest')
  assert.equal(metadata.appName, 'one')
  assert.equal(metadata.appRelPath, 'apps/one')
  assert.deepEqual(
    metadata.env,
    variables.map(({ name, value }) => [name, value]),
  )
})

test('an application at the root of the repository has the path "."', async () => {
  await using side = await startRepoServerSide('tool', { generate: () => [manifest] })
  const plugin = await side.plugins.get('tool')
  assert.equal(plugin.discovery, undefined)
  await plugin.generate(pluginCall(side.tree, ''))
  assert.equal(side.server.streams[0]?.metadata.appRelPath, '.')
})

test('the archive is one that Argo CD unpacks whole', async () => {
  await using side = await startRepoServerSide('tool', { generate: () => [manifest] })
  const plugin = await side.plugins.get('tool')
  await plugin.generate(pluginCall(side.tree, 'apps/one'))
  const stream = side.server.streams[0] ?? assert.fail('no stream')
  const { metadata, archive, entries, chunkSizes } = stream
  assert.equal(metadata.checksum, createHash('sha256').update(archive).digest('hex'))
  assert.equal(metadata.size, BigInt(archive.length))
  assert.equal(
    chunkSizes.reduce((sum, size) => sum + size, 0),
    archive.length,
  )
  assert.ok(chunkSizes.slice(0, -1).every((size) => size >= 64 * 1024 && size <= 1024 ** 2))
  assert.ok(chunkSizes.length > 1)
  assert.equal(entries[0]?.name, '.')
  assert.ok(entries.slice(1).every(({ name }) => !/^\.?\/|\/$|(?:^|\/)\.\.?(?:\/|$)/.test(name)))
  assert.deepEqual([...new Set(entries.map(({ type }) => type))].toSorted(), ['0', '2', '5'])
  assert.equal(new Set(entries.map(({ name }) => name)).size, entries.length - repeatedDirectories(stream))
  const found = [...stream.files].map(([name, entry]) => {
    if (entry.kind === 'file') return `${name} ${entry.mode.toString(8)} ${entry.content.length}`
    return entry.kind === 'symlink' ? `${name} -> ${entry.target}` : `${name}/`
  })
  assert.deepEqual(found.toSorted(), side.unpacked.toSorted())
})

/** A directory may come again with what is in it: Argo CD makes it once. */
function repeatedDirectories({ entries }: ReceivedStream): number {
  const directories = entries.filter(({ type }) => type === '5').map(({ name }) => name)
  return directories.length - new Set(directories).size
}

test('a plugin sees no file beside the inputs', async () => {
  await using side = await startRepoServerSide('tool', { generate: () => [manifest] })
  const plugin = await side.plugins.get('tool')
  await plugin.generate({ ...pluginCall(side.tree, 'apps/one'), inputs: ['apps/one', 'shared.json'] })
  const names = [...(side.server.streams[0]?.files.keys() ?? [])]
  assert.deepEqual(names.toSorted(), [
    'apps',
    'apps/one',
    'apps/one/hosts',
    'apps/one/run.sh',
    'apps/one/tool.yaml',
    'shared.json',
  ])
})

test('many applications of one commit share an archive, a connection and one read of the configuration', async () => {
  await using side = await startRepoServerSide('tool', {
    generate: ({ metadata }) => [named(metadata.appName)],
  })
  const apps = Array.from({ length: 40 }, (_, index) => `apps/many/app-${index}`)
  const plugin = await side.plugins.get('tool')
  const made = await Promise.all(apps.map((path) => plugin.generate(pluginCall(side.tree, path))))
  assert.deepEqual(
    made.map(({ manifests }) => manifests),
    apps.map((path) => [named(path.slice(path.lastIndexOf('/') + 1))]),
  )
  assert.equal(new Set(side.server.streams.map(({ metadata }) => metadata.checksum)).size, 1)
  assert.equal(side.plugins.stats.archivesBuilt, 1)
  assert.equal(side.reads.get(largeFile), 1)
  assert.equal(side.server.streams.length, apps.length)
  assert.equal(side.server.checks, 1)
  assert.equal(side.server.relay.connections, 1)
  assert.equal(side.server.relay.sentAway, 0)
})

function named(name: string): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}`
}

test('announcements come one to a name, the dynamic ones first', async () => {
  await using side = await startRepoServerSide('tool', {
    announce: () => [
      {
        name: 'values',
        collectionType: 'map',
        map: [
          ['image.tag', '1'],
          ['image.tag ', '2'],
        ],
      },
      { name: 'replicas', itemType: 'number', string: '3' },
      { name: 'files', collectionType: 'array', array: ['a.yaml', ''] },
      {
        name: 'replicas',
        title: 'Replicas',
        tooltip: 'How many',
        required: true,
        itemType: 'number',
        string: '1',
      },
      { name: 'fixed', title: 'Fixed' },
    ],
  })
  const plugin = await side.plugins.get('tool')
  const { announcements } = await plugin.announce(pluginCall(side.tree, 'apps/one'))
  const found = announcements.map(({ name, required, itemType, collectionType, default: value }) => ({
    name,
    required,
    itemType,
    collectionType,
    value,
  }))
  const text = { required: false, itemType: '', collectionType: 'string' }
  assert.deepEqual(found, [
    {
      name: 'values',
      ...text,
      collectionType: 'map',
      value: {
        kind: 'map',
        entries: [
          ['image.tag', '1'],
          ['image.tag ', '2'],
        ],
      },
    },
    { name: 'replicas', ...text, itemType: 'number', value: { kind: 'string', text: '3' } },
    { name: 'files', ...text, collectionType: 'array', value: { kind: 'array', items: ['a.yaml', ''] } },
    { name: 'fixed', ...text, value: undefined },
  ])
})

test('what the plugin says of its failure reaches the user', async () => {
  const text =
    'error generating manifests: `sh -c "helm template ."` failed exit status 1: Error: größe: 100% wrong\n  at /a'
  await using side = await startRepoServerSide('tool', {
    generate: () => Promise.reject(new Error(text)),
    announce: () => {
      throw new Error('error executing dynamic parameter output command: `cat x` failed exit status 1: no')
    },
  })
  const plugin = await side.plugins.get('tool')
  const call = pluginCall(side.tree, 'apps/one')
  await assert.rejects(plugin.generate(call), { name: 'InvalidInputError', message: `plugin tool: ${text}` })
  await assert.rejects(
    plugin.announce(call),
    /^InvalidInputError: plugin tool: error executing dynamic parameter/,
  )
  await assert
    .rejects(
      plugin.match(call).then((isMatch) => assert.equal(isMatch, false)),
      /never/,
    )
    .catch(() => undefined)
})

test('an error in the middle of the upload reaches the user too', async () => {
  const rejection = 'match repository error receiving stream: no space left on device'
  await using side = await startRepoServerSide('tool', { rejection })
  const plugin = await side.plugins.get('tool')
  await assert.rejects(plugin.generate(pluginCall(side.tree, 'apps/one')), {
    name: 'InvalidInputError',
    message: `plugin tool: ${rejection}`,
  })
  assert.deepEqual(side.server.streams, [])
})

test('an answer of 20 MiB is read', async () => {
  const metadata = { name: 'large' }
  const large = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { x: 'x'.repeat(20 * 1024 ** 2) },
  })
  await using side = await startRepoServerSide('tool', { generate: () => [large] })
  const plugin = await side.plugins.get('tool')
  const { manifests } = await plugin.generate(pluginCall(side.tree, 'apps/one'))
  assert.ok(manifests.length === 1 && manifests[0] === large)
})

test('a plugin that is too busy to be asked is asked again, three times at most', async () => {
  await using side = await startRepoServerSide('tool', { busyChecks: 1, generate: () => [manifest] })
  const plugin = await side.plugins.get('tool')
  assert.deepEqual((await plugin.generate(pluginCall(side.tree, 'apps/one'))).manifests, [manifest])
  assert.equal(side.server.checks, 2)
  await using busier = await startRepoServerSide('tool', { busyChecks: 10 })
  await assert.rejects(busier.plugins.get('tool'), { name: 'ResourceExhaustedError' })
  assert.equal(busier.server.checks, 3)
})

test('the plugin receives how much time it has, and is stopped when the time of the call is over', async () => {
  const started = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  await using side = await startRepoServerSide('tool', {
    generate: async (_, cancelled) => {
      cancelled.addEventListener('abort', () => stopped.resolve())
      started.resolve()
      await stopped.promise
      return []
    },
  })
  const plugin = await side.plugins.get('tool')
  const controller = new AbortController()
  const call = plugin.generate({ ...pluginCall(side.tree, 'apps/one'), signal: controller.signal })
  await started.promise
  controller.abort(new DOMException('late', 'TimeoutError'))
  await assert.rejects(call, { name: 'DeadlineExceededError' })
  await stopped.promise
  const { timeLeftMs = Infinity } = side.server.streams[0] ?? {}
  assert.ok(timeLeftMs > 0 && timeLeftMs <= 10 * 60_000, `a deadline of ${timeLeftMs} ms was announced`)
})

test('links that Argo CD refuses are left out, and fail the applications that may read them before anything is sent', async () => {
  const links = { 'apps/two/top': '../..', 'apps/two/passwd': '/etc/passwd' }
  await using side = await startRepoServerSide('tool', { generate: () => [manifest] }, links)
  const plugin = await side.plugins.get('tool')
  await assert.rejects(plugin.generate(pluginCall(side.tree, 'apps/two')), {
    name: 'InvalidInputError',
    message:
      /^repository contains out-of-bounds symlinks\. file: apps\/two\/passwd leads out of the repository/,
  })
  assert.deepEqual(side.server.streams, [])
  const { manifests, warnings } = await plugin.generate(pluginCall(side.tree, 'apps/one'))
  assert.deepEqual(manifests, [manifest])
  assert.match(warnings.join(), /left out: apps\/two\/passwd .*, apps\/two\/top leads to the root/)
})
