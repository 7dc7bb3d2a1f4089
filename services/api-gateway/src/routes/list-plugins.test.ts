import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  ListPluginsRequestSchema,
  ListPluginsResponseSchema,
} from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { pluginRoutes } from './plugins.ts'

test('plugins are listed as repo-server knows them', async () => {
  const answer = create(ListPluginsResponseSchema, {
    plugins: [
      { name: 'jsonnet', endpoint: '/plugins/jsonnet.sock', parameters: [{ name: 'env' }] },
      { name: 'lisp-v1.0', endpoint: '/plugins/lisp.sock', error: 'no answer' },
    ],
  })
  await using fixture = await openGatewayFixture({ repoServer: { listPlugins: () => answer } })
  const list = pluginRoutes(fixture.context).listPlugins
  assert.deepEqual(await list(create(ListPluginsRequestSchema), callContext()), answer)
})
