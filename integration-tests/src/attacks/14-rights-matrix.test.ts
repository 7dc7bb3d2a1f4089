import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node'
import { publicServices } from '@wadi/api-gateway/public-services.ts'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import type { GatewayClient } from '../gateway-fixture.ts'
import {
  cells,
  isAllowed,
  policyLines,
  projects,
  roles,
  storeObjects,
  verbs,
} from './rights-matrix-fixture.ts'

const users = new Map<string, GatewayClient>()
const mesh = await usersMeshOfFile()
await mesh.applySettings(Object.fromEntries(roles.map((role) => [`accounts.${role}`, 'apiKey'])))
await mesh.applyPolicy(...policyLines())
for (const role of roles) {
  const { token } = await mesh.admin.accounts.createToken({ name: role, id: 'matrix' })
  users.set(role, mesh.connect(token))
}
for (const project of projects) await storeObjects(mesh.admin, project)

const rejections = [Code.PermissionDenied, Code.NotFound]

async function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    return ConnectError.from(error).code
  }
}

test('each role may do in each project what the policy lists, and nothing else', async () => {
  const wrong: string[] = []
  let allowed = 0
  for (const { role, project, verb } of cells()) {
    const user = users.get(role)
    assert.ok(user)
    const code = await codeOf(verb.call(user, project))
    const expected = isAllowed(role, project, verb)
    if (expected ? code !== undefined : !rejections.includes(code ?? Code.Unknown)) {
      wrong.push(
        `${role} ${verb.name} ${project}: ${code === undefined ? 'done' : Code[code]}, not ${expected ? 'done' : 'refused'}`,
      )
    }
    if (!expected) continue
    allowed += 1
    await verb.undo?.(mesh.admin, project)
  }
  assert.deepEqual(wrong, [])
  assert.ok(allowed > 0 && allowed < cells().length / 2)
  // What was refused was not done either: everything is there, and there is nothing else.
  for (const project of projects) {
    for (const verb of verbs.filter(({ action }) => action === 'get')) {
      assert.equal(await codeOf(verb.call(mesh.admin, project)), undefined, `${verb.name} ${project}`)
    }
  }
  const { applications } = await mesh.admin.applications.listApplications({})
  assert.equal(applications.length, projects.length)
})

test('nobody who is not signed in is answered by an RPC that is not open', async () => {
  using connections = new DisposableStack()
  const sessionManager = new Http2SessionManager(mesh.address)
  connections.defer(() => sessionManager.abort())
  const transport = createConnectTransport({ baseUrl: mesh.address, httpVersion: '2', sessionManager })
  let asked = 0
  for (const service of publicServices) {
    const client = createClient(service, transport) as unknown as Record<string, Call>
    for (const method of service.methods) {
      const rule = rpcRuleOf(service, method)
      assert.ok(rule, `${service.typeName}/${method.name} has no rule`)
      if (rule.access === 'open' || rule.access === 'published') continue
      const call = client[method.localName]
      assert.ok(call)
      const code = await codeOf(firstAnswer(call, method.methodKind === 'client_streaming'))
      assert.equal(code, Code.Unauthenticated, `${service.typeName}/${method.name}`)
      asked += 1
    }
  }
  assert.ok(asked > 100, `${asked} RPCs were asked`)
})

type Call = (request: object) => Promise<unknown> | AsyncIterable<unknown>

async function firstAnswer(call: Call, isStreamed: boolean): Promise<unknown> {
  const answer = call(isStreamed ? noMessages() : {})
  return Symbol.asyncIterator in answer ? answer[Symbol.asyncIterator]().next() : answer
}

async function* noMessages(): AsyncIterable<object> {}
