import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { RepositoryResponseSchema } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { PluginCall } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { openPlugins } from './open-plugins.ts'
import { bytes, manifests, startPluginServer } from './plugin-server-fixture.ts'
import { writeTestTree } from './tree-fixture.ts'

const object = '{"apiVersion":"v1","kind":"ConfigMap"}'

test('the answer of a plugin that changed meanwhile is recognised and not cached as that of the previous plugin', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugins-'))
  await using tree = await writeTestTree({ 'app/a.yaml': 'a' })
  const endpoint = `unix:${directory.path}/c.sock`
  const configuration = { identity: 'one', isDiscoveryConfigured: true }
  await using server = await startPluginServer(endpoint, {
    configuration,
    answer: ({ method }) =>
      method === 'MatchRepository'
        ? bytes(RepositoryResponseSchema, { isSupported: configuration.identity === 'one' })
        : manifests(object),
  })
  await using plugins = await openPlugins({ socketDirectory: directory.path })
  const call = (): PluginCall => ({ tree: tree.open(), inputs: [''], path: 'app', variables: [] })
  const before = await plugins.get('c')
  configuration.identity = 'two'
  assert.equal(await before.match(call()), false)
  assert.equal((await before.generate(call())).identity, 'two')
  const now = await plugins.get('c')
  assert.equal(now.identity, 'two')
  configuration.identity = 'one'
  assert.equal(await now.match(call()), true, 'the answer of another plugin was not kept')
  assert.equal((await plugins.get('c')).identity, 'one')
  assert.equal(server.runs.length, 3)
})
