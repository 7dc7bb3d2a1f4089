import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { GetDiagnosticsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import type { ServiceReportSchema } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import { ExplainAccessRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, type GatewayFixture, openGatewayFixture } from '../gateway-fixture.ts'
import { until } from '@wadi/testing/until.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { explainAccess } from './explain-access.ts'
import { getDiagnostics } from './get-diagnostics.ts'

type Explain = MessageInitShape<typeof ExplainAccessRequestSchema>

function explain({ context }: GatewayFixture, request: Explain, call = callContext()) {
  return explainAccess(context)(create(ExplainAccessRequestSchema, request), call).verdicts
}

const sync = { resource: 'applications', action: 'sync', object: 'dev/web' }

test('what a user, a role or a member of a group may do is answered with the rule that decides', async () => {
  await using fixture = await openGatewayFixture()
  await storePolicy(
    fixture.context,
    'p, role:dev, applications, sync, dev/*, allow',
    'p, role:dev, applications, sync, dev/secret, deny',
    'p, nobodys, applications, sync, dev/*, allow',
    'g, developers, role:dev',
  )
  const rule = { identity: 'developers', rule: 'p, role:dev, applications, sync, dev/*, allow' }
  assert.deepEqual(explain(fixture, { subject: 'ada', groups: ['developers'], checks: [sync] }), [
    {
      allowed: true,
      rules: [{ effect: 'allow', ...rule, at: 'argocd-rbac-cm policy.csv:1' }],
      ignored: [],
    },
  ])
  const [alone, denied] = explain(fixture, {
    subject: 'role:dev',
    checks: [
      { resource: 'app', action: 'sync' },
      { ...sync, object: 'dev/secret' },
    ],
  })
  assert.deepEqual([alone?.allowed, denied?.allowed], [false, false])
  assert.equal(denied?.rules[0]?.rule, 'p, role:dev, applications, sync, dev/secret, deny')
  const [ignored] = explain(fixture, { subject: 'bo', groups: ['nobodys'], checks: [sync] })
  assert.deepEqual([ignored?.allowed, ignored?.ignored.length], [false, 1])
})

test('only those who may read the policy and the settings learn of them', async () => {
  await using fixture = await openGatewayFixture({
    repoServer: { listPlugins: () => ({}), listProtections: () => ({}), resolveRevisions: () => ({}) },
  })
  const { context } = fixture
  await storePolicy(
    context,
    'p, ada, settings, get, ConfigMap/argocd-rbac-cm, allow',
    'p, bo, settings, get, ConfigMap/argocd-cm, allow',
  )
  const diagnose = (user: string) =>
    getDiagnostics(context)(create(GetDiagnosticsRequestSchema), callBy(user))
  assert.equal(explain(fixture, { checks: [sync] }, callBy('ada')).length, 1)
  assert.ok(await diagnose('bo'))
  for (const user of ['bo', 'outsider']) {
    assert.throws(() => explain(fixture, { checks: [sync] }, callBy(user)), {
      name: 'PermissionDeniedError',
      message: `permission denied: settings, get, ConfigMap/argocd-rbac-cm, sub: ${user}`,
    })
  }
  await assert.rejects(diagnose('ada'), { name: 'PermissionDeniedError' })
})

test('too many questions and an unknown resource are refused', async () => {
  await using fixture = await openGatewayFixture()
  assert.throws(() => explain(fixture, { checks: Array.from({ length: 501 }, () => sync) }), /501 checks/)
  assert.throws(() => explain(fixture, { groups: Array.from({ length: 101 }, () => 'g') }), /101 groups/)
  assert.throws(
    () => explain(fixture, { checks: [{ ...sync, resource: 'pods' }] }),
    /unknown resource "pods"/,
  )
})

test('the findings are those of the policy and of plugins, errors first, beside the protections', async () => {
  const protection = { name: 'memory', active: false, by: '', lacks: 'no cgroup', remedy: 'use systemd' }
  await using fixture = await openGatewayFixture({
    repoServer: {
      listPlugins: () => ({ plugins: [{ name: 'lisp', error: 'no answer', warnings: ['it is old'] }] }),
      listProtections: () => ({ protections: [protection] }),
      resolveRevisions: () => ({}),
    },
  })
  const { context } = fixture
  await storePolicy(context, 'p, role:dev, applications, snyc, dev/*, allow', 'g, ada, role:dev')
  const answer = await getDiagnostics(context)(create(GetDiagnosticsRequestSchema), callContext())
  assert.deepEqual(
    answer.findings.map(({ severity, area }) => [severity, area]),
    [
      ['error', 'plugins'],
      ['warning', 'policy'],
      ['warning', 'plugins'],
    ],
  )
  assert.equal(answer.findings[0]?.message, 'plugin lisp: no answer')
  assert.match(answer.findings[1]?.message ?? '', /policy.csv:1: .*snyc/)
  assert.partialDeepStrictEqual(answer.protections, [protection])
})

test('versions that branches keep although the installation has others are findings', async () => {
  const installed = [
    { name: 'helm', version: 'v4.3.1' },
    { name: 'helm', version: 'v4.1.4' },
    { name: 'kustomize', version: 'v5.7.1' },
  ]
  await using fixture = await openGatewayFixture({
    repoServer: {
      listPlugins: () => ({}),
      listProtections: () => ({}),
      resolveRevisions: () => ({ installed }),
    },
  })
  const { context } = fixture
  const kept = { one: 'v4.1.4', two: 'v4.1.4', new: 'v4.3.1' }
  for (const [name, helm] of Object.entries(kept)) {
    const application = hydratedApplication(name, 'dev', `environments/${name}`)
    const record = recordWith(application)
    const tools = { helm, kustomize: 'v5.7.1' }
    await storeAll(context, [application, { ...record, status: { ...record.status, tools } }])
  }
  const diagnose = () => getDiagnostics(context)(create(GetDiagnosticsRequestSchema), callContext())
  await until(async () => (await diagnose()).findings.some(({ message }) => / more /.test(message)))
  const { findings } = await diagnose()
  assert.deepEqual(findings, [
    {
      severity: 'info',
      area: 'tools',
      message:
        "branch environments/one and 1 more are hydrated with helm 4.1.4 where git names no version, and the installation's own is 4.3.1",
      remedy:
        'wadi diff --tools helm=4.3.1 shows what that would change, and tools.helm in wadi.yaml chooses it',
    },
  ])
})

test('a repo-server that does not answer is a finding', async () => {
  const fail = () => {
    throw new ConnectError('no route', Code.Unavailable)
  }
  await using fixture = await openGatewayFixture({ repoServer: { listPlugins: fail, listProtections: fail } })
  const answer = await getDiagnostics(fixture.context)(create(GetDiagnosticsRequestSchema), callContext())
  assert.partialDeepStrictEqual(answer, {
    findings: [{ severity: 'error', area: 'repo-server' }],
    protections: [],
  })
})

test('services of another version, with another clock or away are findings, and repositories that no webhook came for', async () => {
  const report = (parts: MessageInitShape<typeof ServiceReportSchema>) => ({
    diagnose: () => ({
      report: { version: 'v1.0.0', host: 'node-1', time: new Date().toISOString(), ...parts },
    }),
  })
  const behind = new Date(Date.now() - 300_000).toISOString()
  const startedAt = '2026-01-02T03:04:05.000Z'
  const repositories = [
    { repoUrl: 'https://git.example.com/heard', webhookAt: startedAt, polledAt: startedAt },
    { repoUrl: 'https://git.example.com/silent', polledAt: startedAt },
    { repoUrl: 'https://git.example.com/unchanged' },
  ]
  await using fixture = await openGatewayFixture({
    repoServer: { listPlugins: () => ({}), listProtections: () => ({}), resolveRevisions: () => ({}) },
    diagnosed: {
      'repo-server': report({ service: 'repo-server', version: 'v0.9.0' }),
      'commit-server': report({ service: 'commit-server', time: behind }),
      hydrator: report({ service: 'hydrator', startedAt, repositories }),
      'appset-service': {
        diagnose: () => {
          throw new ConnectError('no route', Code.Unavailable)
        },
      },
    },
  })
  const answer = await getDiagnostics(fixture.context)(create(GetDiagnosticsRequestSchema), callContext())
  assert.deepEqual(
    answer.findings.map(({ severity, area, message }) => [severity, area, message]),
    [
      ['error', 'appset-service', 'no route'],
      ['warning', 'versions', 'repo-server on node-1 is v0.9.0, and api-gateway is v1.0.0'],
      ['warning', 'clock', 'the clock of commit-server on node-1 is 300 s behind that of api-gateway'],
      [
        'warning',
        'webhooks',
        'new commits of https://git.example.com/silent waited for a poll: no webhook came since 2026-01-02T03:04:05.000Z',
      ],
    ],
  )
  assert.deepEqual(
    answer.services.map(({ service }) => service),
    ['api-gateway', 'repo-server', 'commit-server', 'hydrator'],
  )
})

test('repositories are tried only when that is asked for, each as its project uses it', async () => {
  await using fixture = await openGatewayFixture({
    repoServer: { listPlugins: () => ({}), listProtections: () => ({}), resolveRevisions: () => ({}) },
    diagnosed: {
      'repo-server': { diagnose: () => ({}) },
      'commit-server': { diagnose: () => ({}) },
    },
  })
  const { context, requests } = fixture
  await storeAll(context, [hydratedApplication('web', 'dev', 'environments/dev')])
  const diagnose = async (remotes: boolean) => {
    requests.length = 0
    const request = create(GetDiagnosticsRequestSchema, { remotes })
    await getDiagnostics(context)(request, callContext())
    return requests.filter((sent) => 'repositories' in sent)
  }
  assert.partialDeepStrictEqual(await diagnose(false), [
    { remotes: false, repositories: [] },
    { remotes: false, repositories: [] },
  ])
  const [read, write] = await diagnose(true)
  assert.partialDeepStrictEqual(read, {
    remotes: true,
    repositories: [{ project: 'dev', deployedBranches: [] }],
  })
  assert.partialDeepStrictEqual(write, {
    remotes: true,
    repositories: [{ project: 'dev', deployedBranches: ['environments/dev'] }],
  })
})
