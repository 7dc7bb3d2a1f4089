import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { RepositoryResponseSchema } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { PluginCall } from '@wadi/rendering/plugins.ts'
import { openPlugins } from './open-plugins.ts'
import { bytes, manifests, startPluginServer } from './plugin-server-fixture.ts'
import { writeTestTree } from './tree-fixture.ts'

const object = '{"apiVersion":"v1","kind":"ConfigMap"}'

test('the answer of a plugin that was changed meanwhile is not taken for that of the one before', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugins-'))
  await using tree = await writeTestTree({ 'app/a.yaml': 'a' })
  const endpoint = `unix:${folder.path}/c.sock`
  const configuration = { identity: 'one', isDiscoveryConfigured: true }
  await using server = await startPluginServer(endpoint, {
    configuration,
    answer: ({ method }) =>
      method === 'MatchRepository'
        ? bytes(RepositoryResponseSchema, { isSupported: configuration.identity === 'one' })
        : manifests(object),
  })
  await using plugins = await openPlugins({ socketDirectory: folder.path })
  const call = (): PluginCall => ({ tree: tree.open(), inputs: [''], path: 'app', variables: [] })
  const before = await plugins.get('c')
  configuration.identity = 'two'
  const changed = {
    name: 'UnavailableError',
    message: `plugin c at ${endpoint} was changed while it was asked, so that its answer was dropped; try again`,
  }
  await assert.rejects(before.match(call()), changed)
  await assert.rejects(before.generate(call()), changed)
  const now = await plugins.get('c')
  assert.equal(now.identity, 'two')
  assert.equal(await now.match(call()), false)
  configuration.identity = 'one'
  await assert.rejects(now.generate(call()), changed)
  assert.equal(await (await plugins.get('c')).match(call()), true, 'nothing was kept')
  const { count } = server.checks
  const again = await plugins.get('c')
  await Promise.all(Array.from({ length: 9 }, () => again.generate(call())))
  assert.ok(server.checks.count - count <= 9)
})
