import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { Code } from '@connectrpc/connect'
import { adminToken, startGatewayProcess } from './gateway-process-fixture.ts'

/** A gateway with the default settings. */
const gateway = await usedByFile(startGatewayProcess())

const asOperator = { headers: { authorization: `Bearer ${adminToken}` } }

test('every call that changes something leaves a line: who, what, allowed or not, and no secret', async () => {
  const earlier = (await gateway.audits(0)).length
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
  const audits = (await gateway.audits(earlier + 4)).slice(earlier)
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

test('anonymous callers of one address share a limit, which a wrong token does not avoid', async () => {
  await using limited = await startGatewayProcess({ WADI_CALLS_PER_ADDRESS: '2' })
  await limited.sessions.getUserInfo({})
  await assert.rejects(limited.accounts.listAccounts({}, { headers: { token: 'wrong' } }), {
    code: Code.Unauthenticated,
  })
  await assert.rejects(limited.sessions.getUserInfo({}), {
    code: Code.ResourceExhausted,
    rawMessage: /^address 127\.0\.0\.1 has made 2 calls in a minute, which is the limit; try again in \d+ s$/,
  })
  await assert.rejects(limited.accounts.listAccounts({}, { headers: { token: 'wrong' } }), {
    code: Code.ResourceExhausted,
  })
  const webhook = await fetch(`${limited.baseUrl}/api/webhook`, { method: 'POST', body: '{}' })
  assert.equal(webhook.status, 429)
  await limited.accounts.listAccounts({}, asOperator)
})

test('what somebody who is not signed in sends is small', async () => {
  await assert.rejects(gateway.sessions.create({ username: 'eve', password: 'x'.repeat(100_000) }), {
    code: Code.ResourceExhausted,
  })
})

test('nobody sends more than an object can be', async () => {
  // What is left of the request ends the connection, which another test's call may have taken.
  await using own = await startGatewayProcess()
  const resource = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'large' },
    data: { text: 'x'.repeat(5_000_000) },
  }
  await assert.rejects(own.resources.applyResource({ resource }, asOperator), {
    code: Code.ResourceExhausted,
    rawMessage: /^the request has more than the 4194304 bytes that are allowed$/,
  })
})

test('the contracts between services are not for users', async () => {
  await assert.rejects(gateway.repoServer.listPlugins({}, asOperator), { code: Code.Unimplemented })
})

test('pages of other origins may not call, unless the operator names them', async () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://portal.example.com', 'access-control-request-method': 'POST' },
  }
  const path = '/session.SessionService/GetUserInfo'
  const response = await fetch(gateway.baseUrl + path, preflight)
  assert.equal(response.headers.get('access-control-allow-origin'), null)
  assert.notEqual(response.status, 204)
  await using open = await startGatewayProcess({ WADI_CROSS_ORIGINS: 'https://portal.example.com' })
  const allowed = await fetch(open.baseUrl + path, preflight)
  assert.equal(allowed.status, 204)
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://portal.example.com')
  assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /authorization/)
  const other = { ...preflight, headers: { ...preflight.headers, origin: 'https://evil.example.com' } }
  assert.equal((await fetch(open.baseUrl + path, other)).headers.get('access-control-allow-origin'), null)
})

test('a broken policy is refused, and one that came into the store otherwise is reported by readiness', async () => {
  const data = { 'policy.csv': 'p, role:web, applications, get, web/*, allow\n' }
  const policy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-rbac-cm' }, data }
  await gateway.resources.applyResource({ resource: policy }, asOperator)
  const broken = { ...policy, data: { 'policy.csv': 'p, role:web, applications\n' } }
  await assert.rejects(gateway.resources.applyResource({ resource: broken }, asOperator), {
    code: Code.InvalidArgument,
    rawMessage: /argocd-rbac-cm policy\.csv:1/,
  })
  assert.equal(await (await fetch(`${gateway.baseUrl}/readyz`)).text(), 'ok\n')
  const { openSqliteStore } = await import('@wadi/resources/store/sqlite-store.ts')
  await using store = openSqliteStore({ file: join(gateway.directory, 'state.db') })
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
