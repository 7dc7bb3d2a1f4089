import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  AddToolRequestSchema,
  ListToolsRequestSchema,
  RemoveToolRequestSchema,
  VerifyToolsRequestSchema,
} from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { until } from '@wadi/testing/until.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { toolRoutes } from './tools.ts'

const tool = { name: 'helm', version: 'v4.2.4' }
const repoServer = {
  listTools: () => ({ downloadable: [tool] }),
  addTool: () => ({ wasThere: true }),
  removeTool: () => ({}),
  verifyTools: () => ({ tools: [{ ...tool, status: 'ok' }] }),
}

test('everybody lists tools, who reads the settings verifies them, and who changes these adds and removes them', async () => {
  await using fixture = await openGatewayFixture({ repoServer })
  const { context } = fixture
  const object = 'ConfigMap/argocd-cm'
  await storePolicy(
    context,
    `p, reader, settings, get, ${object}, allow`,
    `p, admin, settings, update, ${object}, allow`,
    `p, admin, settings, get, ${object}, allow`,
  )
  const calls = {
    list: async (user: string) => toolRoutes(context).listTools(create(ListToolsRequestSchema), callBy(user)),
    verify: async (user: string) =>
      toolRoutes(context).verifyTools(create(VerifyToolsRequestSchema), callBy(user)),
    add: async (user: string) =>
      toolRoutes(context).addTool(create(AddToolRequestSchema, { tool }), callBy(user)),
    remove: async (user: string) =>
      toolRoutes(context).removeTool(create(RemoveToolRequestSchema, { tool }), callBy(user)),
  }
  const allowed = { caller: ['list'], reader: ['list', 'verify'], admin: Object.keys(calls) }
  for (const [user, mine] of Object.entries(allowed)) {
    for (const [name, call] of Object.entries(calls)) {
      if (mine.includes(name)) await call(user)
      else await assert.rejects(call(user), { name: 'PermissionDeniedError', message: /settings/ })
    }
  }
})

test('a version that is removed is answered with the branches that keep it', async () => {
  await using fixture = await openGatewayFixture({ repoServer })
  const { context } = fixture
  const applications = ['kept', 'other'].map((name) =>
    hydratedApplication(name, 'shop', `environments/${name}`),
  )
  const records = applications.map((application, index) => {
    const record = recordWith(application)
    return { ...record, status: { ...record.status, tools: { helm: index === 0 ? 'v4.2.4' : 'v4.1.4' } } }
  })
  await storeAll(context, [...records, ...applications])
  await until(() => context.summaries.sorted.every(({ summary }) => summary.phase !== ''))
  const { branches } = await toolRoutes(context).removeTool(
    create(RemoveToolRequestSchema, { tool }),
    callContext(),
  )
  assert.deepEqual(branches, ['environments/kept'])
})
