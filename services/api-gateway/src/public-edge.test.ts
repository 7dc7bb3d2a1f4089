import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { Code, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'

const adminToken = 'a token of the operator that is long enough'

/** A gateway in a process of its own, whose log can be read. */
async function startProcess(environment: Record<string, string> = {}) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'wadi-edge-'))
  const child = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], {
    env: {
      PATH: process.env['PATH'] ?? '',
      WADI_LISTEN: '127.0.0.1:0',
      WADI_DATA_DIR: folder.path,
      WADI_SERVICE_KEY_FILE: join(folder.path, 'service.key'),
      WADI_ADMIN_TOKEN: adminToken,
      WADI_LOG_LEVEL: 'info',
      WADI_LOG_FORMAT: 'json',
      ...environment,
    },
  })
  const lines: Record<string, unknown>[] = []
  const address = Promise.withResolvers<string>()
  let rest = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = JSON.parse(part) as Record<string, unknown>
      lines.push(line)
      if (line['msg'] === 'serving') address.resolve(String(line['address']))
    }
  })
  const baseUrl = await address.promise
  const transport = createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false })
  return {
    baseUrl,
    folder: folder.path,
    sessions: createClient(SessionService, transport),
    accounts: createClient(AccountService, transport),
    applications: createClient(ApplicationService, transport),
    resources: createClient(ResourceService, transport),
    repoServer: createClient(RepoServerService, transport),
    /** The audit lines so far, once there are so many of them. */
    audits: async (count: number) => {
      const deadline = performance.now() + 10_000
      const found = () => lines.filter((line) => line['msg'] === 'audit').map((line) => line['audit'])
      while (found().length < count && performance.now() < deadline) await once(child.stderr, 'data')
      return found() as Record<string, unknown>[]
    },
    log: () => JSON.stringify(lines),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await folder[Symbol.asyncDispose]()
    },
  }
}

const asOperator = { headers: { authorization: `Bearer ${adminToken}` } }

test('every call that changes something leaves a line: who, what, allowed or not, and no secret', async () => {
  await using gateway = await startProcess()
  const resource = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tokens' },
    stringData: { value: 'top-secret-value' },
  }
  await gateway.resources.applyResource({ resource }, asOperator)
  await gateway.applications.listApplications({}, asOperator)
  await assert.rejects(gateway.applications.deleteApplication({ name: 'web' }, asOperator))
  await assert.rejects(gateway.applications.deleteApplication({ name: 'web' }), {
    code: Code.Unauthenticated,
  })
  await assert.rejects(gateway.sessions.create({ username: 'eve', password: 'guessed-password' }))
  const audits = await gateway.audits(4)
  const shown = audits.map(({ user, method, about, allowed, code }) => [user, method, about, allowed, code])
  assert.deepEqual(shown, [
    [
      'admin',
      'wadi.api_gateway.v1.ResourceService/ApplyResource',
      { resource: { kind: 'Secret', name: 'tokens' } },
      true,
      'ok',
    ],
    ['admin', 'wadi.api_gateway.v1.ApplicationService/DeleteApplication', { name: 'web' }, true, 'not_found'],
    ['', 'wadi.api_gateway.v1.ApplicationService/DeleteApplication', {}, false, 'unauthenticated'],
    ['', 'session.SessionService/Create', { username: 'eve' }, false, 'unauthenticated'],
  ])
  assert.equal(audits[0]?.['address'], '127.0.0.1')
  for (const secret of ['top-secret-value', 'guessed-password', adminToken]) {
    assert.ok(!gateway.log().includes(secret), secret)
  }
})

test('strangers of one address share a limit, which a wrong token does not pass by', async () => {
  await using gateway = await startProcess({ WADI_CALLS_PER_ADDRESS: '2' })
  await gateway.sessions.getUserInfo({})
  await assert.rejects(gateway.accounts.listAccounts({}, { headers: { token: 'wrong' } }), {
    code: Code.Unauthenticated,
  })
  await assert.rejects(gateway.sessions.getUserInfo({}), {
    code: Code.ResourceExhausted,
    rawMessage: /^address 127\.0\.0\.1 has made 2 calls in a minute, which is the limit; try again in \d+ s$/,
  })
  await assert.rejects(gateway.accounts.listAccounts({}, { headers: { token: 'wrong' } }), {
    code: Code.ResourceExhausted,
  })
  const webhook = await fetch(`${gateway.baseUrl}/api/webhook`, { method: 'POST', body: '{}' })
  assert.equal(webhook.status, 429)
  await gateway.accounts.listAccounts({}, asOperator)
})

test('what somebody who is not signed in sends is small', async () => {
  await using gateway = await startProcess()
  await assert.rejects(gateway.sessions.create({ username: 'eve', password: 'x'.repeat(100_000) }), {
    code: Code.ResourceExhausted,
  })
})

test('nobody sends more than an object can be', async () => {
  await using gateway = await startProcess()
  const resource = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'large' },
    data: { text: 'x'.repeat(5_000_000) },
  }
  await assert.rejects(gateway.resources.applyResource({ resource }, asOperator), {
    code: Code.ResourceExhausted,
    rawMessage: /readMaxBytes 4194304/,
  })
})

test('the contracts between services are not for users', async () => {
  await using gateway = await startProcess()
  await assert.rejects(gateway.repoServer.listPlugins({}, asOperator), { code: Code.Unimplemented })
})

test('pages of other origins may not call, unless the operator names them', async () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://portal.example.com', 'access-control-request-method': 'POST' },
  }
  const path = '/session.SessionService/GetUserInfo'
  {
    await using gateway = await startProcess()
    const response = await fetch(gateway.baseUrl + path, preflight)
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    assert.notEqual(response.status, 204)
  }
  await using gateway = await startProcess({ WADI_CROSS_ORIGINS: 'https://portal.example.com' })
  const allowed = await fetch(gateway.baseUrl + path, preflight)
  assert.equal(allowed.status, 204)
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://portal.example.com')
  assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /authorization/)
  const other = { ...preflight, headers: { ...preflight.headers, origin: 'https://evil.example.com' } }
  assert.equal((await fetch(gateway.baseUrl + path, other)).headers.get('access-control-allow-origin'), null)
})

test('a broken policy is refused, and one that came into the store otherwise is told by readiness', async () => {
  await using gateway = await startProcess()
  const data = { 'policy.csv': 'p, role:web, applications, get, web/*, allow\n' }
  const policy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-rbac-cm' }, data }
  await gateway.resources.applyResource({ resource: policy }, asOperator)
  const broken = { ...policy, data: { 'policy.csv': 'p, role:web, applications\n' } }
  await assert.rejects(gateway.resources.applyResource({ resource: broken }, asOperator), {
    code: Code.InvalidArgument,
    rawMessage: /argocd-rbac-cm policy\.csv:1/,
  })
  assert.equal(await (await fetch(`${gateway.baseUrl}/readyz`)).text(), 'ok\n')
  const { openSqliteStore } = await import('@wadi/resources/sqlite-store.ts')
  await using store = openSqliteStore({ file: join(gateway.folder, 'state.db') })
  const stored = await store.get('ConfigMap', 'argocd', 'argocd-rbac-cm')
  assert.ok(stored)
  await store.update({ ...stored, data: broken.data })
  const deadline = performance.now() + 10_000
  let answer = ''
  while (!answer.includes('warning') && performance.now() < deadline) {
    answer = await (await fetch(`${gateway.baseUrl}/readyz`)).text()
  }
  assert.match(answer, /^ok\nwarning: policy: argocd-rbac-cm policy\.csv:1: /)
  await gateway.accounts.canI({ resource: 'applications', action: 'get', subresource: 'web/x' }, asOperator)
})
