import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GetPluginRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { type Plugin, PluginSchema } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { pluginRoutes } from './plugins.ts'

const plugins = [
  create(PluginSchema, { name: 'jsonnet', endpoint: '/plugins/jsonnet.sock', parameters: [{ name: 'env' }] }),
  create(PluginSchema, { name: 'lisp-v1.0', endpoint: '/plugins/lisp.sock', error: 'no answer' }),
]

function openWith(known: Plugin[]) {
  return openGatewayFixture({ repoServer: { listPlugins: () => ({ plugins: known }) } })
}

test('a plugin is returned by its name', async () => {
  await using fixture = await openWith(plugins)
  const request = create(GetPluginRequestSchema, { name: 'lisp-v1.0' })
  assert.deepEqual(await pluginRoutes(fixture.context).getPlugin(request, callContext()), {
    plugin: plugins[1],
  })
})

test('the error for an unknown plugin lists the known ones', async () => {
  const request = create(GetPluginRequestSchema, { name: 'lisp' })
  for (const [known, message] of [
    [plugins, 'plugin "lisp" not found; there are: jsonnet, lisp-v1.0'],
    [[], 'plugin "lisp" not found; there is none'],
  ] as const) {
    await using fixture = await openWith([...known])
    await assert.rejects(pluginRoutes(fixture.context).getPlugin(request, callContext()), {
      name: 'NotFoundError',
      message,
    })
  }
})
