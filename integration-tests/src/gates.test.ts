import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { configMap } from './application-fixture.ts'
import { branchOf, hydrated, leak, token } from './gated-repository-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { connectForge } from './pull-request-fixture.ts'
import { compareRevisions, propose } from './review-fixture.ts'

const otherToken = token.replace('wWPw', 'xXQx')

const mesh = await meshOfFile()

/** A policy for ConfigMaps, with its binding. */
function policyOf(validation: string, operations: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: fixed}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [${operations}], resources: [configmaps]}]}
  validations: [${validation}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: fixed}
spec: {policyName: fixed, validationActions: [Deny]}
`
}

test('a denied object fails its Application and blocks the group: nothing is pushed until it is gone', async () => {
  const { fixture } = mesh
  const repository = await hydrated(mesh, 'denied', {
    'wadi.yaml': 'gates: {secrets: deny}\n',
    'denied/a.yaml': configMap('web', '1'),
    'beside/a.yaml': configMap('beside', '1'),
  })
  const head = await repository.head(branchOf('denied'))
  await repository.push({ 'denied/a.yaml': leak, 'beside/a.yaml': configMap('beside', '2') })
  const { currentOperation } = await fixture.hydrate('denied')
  assert.match(
    currentOperation?.message ?? '',
    /gates deny.*\ndenied\/a\.yaml:6: secrets\/github ConfigMap\/web data\.value: looks like a credential/,
  )
  assert.ok(!JSON.stringify(currentOperation).includes(token))
  assert.equal(await repository.head(branchOf('denied')), head)
  const fixed = await repository.push({ 'denied/a.yaml': configMap('web', '2') })
  await fixture.hydrateTo(fixed, 'denied')
  assert.match(await repository.read(branchOf('denied'), 'beside/manifest.yaml'), /value: "2"/)
})

test('a warning passes, and is in hydrator.metadata without the value', async () => {
  const repository = await hydrated(mesh, 'warned', {
    'wadi.yaml': 'gates: {secrets: warn}\n',
    'warned/a.yaml': leak,
  })
  const text = await repository.read(branchOf('warned'), 'warned/hydrator.metadata')
  const { findings } = JSON.parse(text) as {
    findings: { rule: string; place: { file: string; line: number } }[]
  }
  assert.deepEqual(
    findings.map(({ rule, place }) => [rule, place]),
    [['secrets/github', { file: 'warned/a.yaml', line: 6 }]],
  )
  assert.ok(!text.includes(token))
  const { application } = await mesh.fixture.gateway.applications.getApplication({ name: 'warned' })
  const status = JSON.stringify(application)
  assert.match(status, /"findings":\[\{"rule":"secrets\/github".*"file":"warned\/a\.yaml","line":6/)
  assert.match(status, /"warnings":\["secrets\/github ConfigMap\/web data\.value: looks like a credential/)
  assert.ok(!status.includes(token))
})

test('a change that a policy forbids is denied until the change, the policy or what the branch holds is another', async () => {
  const { fixture } = mesh
  const policy = policyOf(
    '{expression: object.data.value == oldObject.data.value, message: may not change}',
    'UPDATE',
  )
  const settings = 'gates: {policies: deny}\npolicies: policies.yaml\n'
  const repository = await hydrated(mesh, 'updated', {
    'wadi.yaml': settings,
    'policies.yaml': policy,
    'updated/a.yaml': configMap('web', '1'),
  })
  const branch = branchOf('updated')
  const head = await repository.head(branch)
  const denied = /policies\/fixed ConfigMap\/web: may not change/
  const changed = await repository.push({ 'updated/a.yaml': configMap('web', '2') })
  for (const hard of [false, false, true])
    assert.match((await fixture.hydrate('updated', { hard })).currentOperation?.message ?? '', denied)
  assert.equal(await repository.head(branch), head)
  const { applications } = await compareRevisions(fixture.gateway, {
    repoUrl: repository.url,
    revision: changed,
    base: '',
  })
  assert.match(applications.get('updated')?.errors.join() ?? '', denied)
  // Another object beside it may come, and one that goes may come again.
  await fixture.hydrateTo(
    await repository.push({ 'updated/a.yaml': configMap('web', '1'), 'updated/b.yaml': configMap('b', '1') }),
    'updated',
  )
  await fixture.hydrateTo(await repository.push({ 'updated/a.yaml': configMap('other', '1') }), 'updated')
  await fixture.hydrateTo(await repository.push({ 'updated/a.yaml': configMap('web', '3') }), 'updated')
  const waiver = '{rule: policies/fixed, reason: moved, owner: shop, expires: 2999-12-31}'
  const waived = await repository.push({
    'wadi.yaml': `${settings}waivers: [${waiver}]\n`,
    'updated/a.yaml': configMap('web', '4'),
  })
  await fixture.hydrateTo(waived, 'updated')
  assert.match(await repository.read(branch, 'updated/manifest.yaml'), /value: "4"/)
  // What came with the waiver is no change any more.
  await fixture.hydrateTo(await repository.push({ 'wadi.yaml': settings }), 'updated')
})

test("the operator's rule wins over the repository's, until it is gone", async () => {
  const { fixture } = mesh
  const rule = { 'wadi.gates': '[{gate: secrets, severity: deny, branches: [environments/ruled]}]' }
  const repository = await hydrated(mesh, 'ruled', {
    'wadi.yaml': 'gates: {secrets: "off"}\n',
    'ruled/a.yaml': leak,
  })
  const head = await repository.head(branchOf('ruled'))
  await fixture.applyOperatorSettings(rule)
  const failed = await fixture.hydrate('ruled')
  assert.match(
    failed.currentOperation?.message ?? '',
    /ruled\/a\.yaml:6: secrets\/github ConfigMap\/web data\.value/,
  )
  await fixture.applyOperatorSettings({})
  const passed = await fixture.hydrate('ruled')
  assert.equal(passed.currentOperation?.phase, 'Hydrated')
  // Nothing was found, so there is nothing to commit.
  assert.equal(await repository.head(branchOf('ruled')), head)
})

test("the operator's policies judge objects of every repository, and a change of them judges again", async () => {
  const { fixture } = mesh
  const policies = (message: string) => ({
    'fixed.yaml': policyOf(`{expression: object.data.value != "bad", message: ${message}}`, 'CREATE, UPDATE'),
  })
  const files = { 'wadi.yaml': 'policies: []\n', 'judged/a.yaml': configMap('web', 'bad') }
  const repository = await hydrated(mesh, 'judged', files)
  const head = await repository.head(branchOf('judged'))
  const rule =
    '[{gate: operator-policies, severity: deny, files: [fixed.*], branches: [environments/judged]}]'
  const applyPolicies = (data: Record<string, string>) =>
    fixture.gateway.resources.applyResource({
      resource: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'wadi-policies-cm', namespace: 'argocd' },
        data,
      },
    })
  await fixture.applyOperatorSettings({ 'wadi.gates': rule })
  const missing = await fixture.hydrate('judged')
  assert.match(
    missing.currentOperation?.message ?? '',
    /wadi\.gates\[0\] needs the ConfigMap wadi-policies-cm/,
  )
  await applyPolicies(policies('must not be bad'))
  const denied = await fixture.hydrate('judged')
  assert.match(
    denied.currentOperation?.message ?? '',
    /operator-policies\/fixed ConfigMap\/web: must not be bad/,
  )
  assert.equal(await repository.head(branchOf('judged')), head)
  // Nobody asks: the change of the ConfigMap does.
  await applyPolicies(policies('is bad'))
  await fixture.waitFor('judged', ({ status }) =>
    /fixed ConfigMap\/web: is bad/.test(status.currentOperation?.message ?? ''),
  )
  await fixture.hydrateTo(await repository.push({ 'judged/a.yaml': configMap('web', 'good') }), 'judged')
  await fixture.applyOperatorSettings({})
})

test('wrong rules of the operator are an error of every Application, which names the key and the field', async () => {
  const { fixture } = mesh
  await hydrated(mesh, 'misruled', { 'misruled/a.yaml': configMap('web', '1') })
  await fixture.applyOperatorSettings({ 'wadi.gates': '[{gate: secret, severity: deny}]' })
  const { currentOperation } = await fixture.hydrate('misruled')
  assert.match(currentOperation?.message ?? '', /argocd-cm: wadi\.gates\[0\]\.gate must be one of secrets/)
  await fixture.applyOperatorSettings({})
})

test("a fork's pull request cannot switch the operator's gates off: each denied object is an annotation of its line", async () => {
  const { fixture } = mesh
  const repository = await hydrated(mesh, 'reviewed', { 'reviewed/a.yaml': configMap('web', '1') })
  const rule = '[{gate: secrets, severity: deny, branches: [environments/reviewed]}]'
  await fixture.applyOperatorSettings({ 'wadi.gates': rule, 'sourceHydrator.reviews': '*/reviewed.git' })
  await fixture.applyProject('default', {}, { 'wadi.dev/reviews': 'diffs' })
  await using connected = await connectForge(mesh, repository)
  const { forge, open, announce, newest, comments } = connected
  const sha = await propose(repository, 'refs/pull/1/head', {
    'wadi.yaml': 'gates: {secrets: "off"}\n',
    'reviewed/a.yaml': leak,
    'reviewed/b.yaml': configMap('db', otherToken),
  })
  const pull = open({ head: 'main', fork: { repository: 'outsider/reviewed', sha } })
  await announce(pull)
  await until(() => ['success', 'failure', 'error'].includes(newest(sha)?.state ?? ''))
  assert.equal(newest(sha)?.state, 'failure')
  const runs = JSON.stringify(forge.state.checkRuns)
  assert.match(runs, /"path":"reviewed\/a\.yaml","start_line":6/)
  assert.match(runs, /"path":"reviewed\/b\.yaml","start_line":6/)
  const { applications } = await compareRevisions(fixture.gateway, {
    repoUrl: repository.url,
    revision: sha,
    base: 'main',
  })
  const errors = applications.get('reviewed')?.errors ?? []
  assert.equal(errors.length, 2)
  assert.match(
    errors[1] ?? '',
    /^reviewed\/a\.yaml:6: a gate denies secrets\/github ConfigMap\/web data\.value: /,
  )
  for (const text of [runs, ...comments(pull), JSON.stringify([...applications.values()], bigintText)])
    assert.ok(!text.includes(token) && !text.includes(otherToken))
  await fixture.applyOperatorSettings({})
})

test("a policy in a fork's pull request judges nothing but it, within limits, beside those of the operator", async () => {
  const { fixture } = mesh
  const repository = await hydrated(mesh, 'forked', { 'forked/a.yaml': configMap('web', '1') })
  const branch = branchOf('forked')
  const policies = {
    'operator.yaml': policyOf(
      '{expression: "!has(object.data.value)", message: has a value}',
      'CREATE, UPDATE',
    ),
  }
  await fixture.gateway.resources.applyResource({
    resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'wadi-policies-cm' }, data: policies },
  })
  await fixture.applyOperatorSettings({
    'wadi.gates': `[{gate: operator-policies, severity: warn, branches: [${branch}]}]`,
  })
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const endless = `'${letters}'.split('').all(c, '${letters}'.split('').all(d, !object.data.text.contains(c + d + '!')))`
  const text = `${configMap('web', '2')}  text: ${'x'.repeat(500_000)}\n`
  const sha = await propose(repository, 'refs/pull/1/head', {
    'wadi.yaml': 'gates: {policies: deny}\npolicies: [policies.yaml]\n',
    'policies.yaml': policyOf(`{expression: "${endless}"}`, 'CREATE, UPDATE'),
    'forked/a.yaml': text,
  })
  const { applications } = await compareRevisions(fixture.gateway, {
    repoUrl: repository.url,
    revision: sha,
    base: 'main',
  })
  const errors = applications.get('forked')?.errors.join('\n') ?? ''
  assert.match(errors, /policies\/fixed ConfigMap\/web.*cost limit exceeded/)
  const head = await repository.push({ 'forked/a.yaml': configMap('web', '3') })
  await fixture.hydrateTo(head, 'forked')
  const metadata = await repository.read(branch, 'forked/hydrator.metadata')
  assert.match(metadata, /"operator-policies\/fixed"/)
  assert.doesNotMatch(metadata, /"policies\/fixed"/)
  await fixture.applyOperatorSettings({})
})

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
