import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { branchOf, hydrated, leak } from './gated-repository-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { compareRevisions } from './review-fixture.ts'

const term = '{rule: secrets, reason: demo, owner: shop, expires: 2999-12-31}'
const waivedLeak = leak.replace('metadata:\n', `metadata:\n  annotations: {wadi.dev/waivers: '[${term}]'}\n`)

const mesh = await meshOfFile()

test('a waiver covers a denied object until its last day', async () => {
  const { fixture } = mesh
  const settings = (expires: string): string =>
    `gates: {secrets: deny}\nwaivers: [{rule: secrets/github, application: waived, reason: demo, owner: shop, expires: ${expires}}]\n`
  const repository = await hydrated(mesh, 'waived', {
    'wadi.yaml': settings('2999-12-31'),
    'waived/a.yaml': leak,
  })
  const head = await repository.head(branchOf('waived'))
  assert.ok(!(await repository.read(head, 'waived/hydrator.metadata')).includes('findings'))
  await repository.push({ 'wadi.yaml': settings('2020-01-31') })
  const { currentOperation } = await fixture.hydrate('waived')
  assert.match(currentOperation?.message ?? '', /waived\/a\.yaml:6: secrets\/github/)
  assert.equal(await repository.head(branchOf('waived')), head)
})

test("a waiver of the repository does not cover the operator's rule, unless the rule is waivable", async () => {
  const { fixture } = mesh
  const rule = (more: string) => ({
    'wadi.gates': `[{gate: secrets, severity: deny, branches: [environments/kept]${more}}]`,
  })
  const waiver = '{rule: secrets, reason: demo, owner: shop, expires: 2999-12-31}'
  const repository = await hydrated(mesh, 'kept', {
    'wadi.yaml': `waivers: [${waiver}]\n`,
    'kept/a.yaml': leak,
  })
  await fixture.applyOperatorSettings(rule(''))
  const { currentOperation } = await fixture.hydrate('kept')
  assert.match(
    currentOperation?.message ?? '',
    /secrets\/github .*the waiver in wadi\.yaml does not cover it/,
  )
  await fixture.applyOperatorSettings(rule(', waivable: true'))
  assert.equal((await fixture.hydrate('kept')).currentOperation?.phase, 'Hydrated')
  assert.ok(!(await repository.read(branchOf('kept'), 'kept/hydrator.metadata')).includes('findings'))
  await fixture.applyOperatorSettings({})
})

test('a chart of others waives nothing by an annotation, unless the operator and wadi.yaml let it', async () => {
  const { fixture } = mesh
  const settings = (names: string) => `gates: {secrets: deny}\nwaiverAnnotations: [${names}]\n`
  const repository = await hydrated(mesh, 'annotated', {
    'wadi.yaml': settings('shop-*'),
    'annotated/Chart.yaml': 'apiVersion: v2\nname: vendored\nversion: 1.0.0\n',
    'annotated/templates/a.yaml': configMap('web', '1'),
  })
  const branch = branchOf('annotated')
  const head = await repository.head(branch)
  await repository.push({ 'annotated/templates/a.yaml': waivedLeak })
  const messageOf = async () => (await fixture.hydrate('annotated')).currentOperation?.message ?? ''
  assert.match(
    await messageOf(),
    /annotated\/templates\/a\.yaml:7: secrets\/github ConfigMap\/web data\.value: .*waiverAnnotations in wadi\.yaml does not name/,
  )
  const named = await repository.push({ 'wadi.yaml': settings('annotated') })
  const rule = (more: string) => ({
    'wadi.gates': `[{gate: secrets, severity: deny, branches: [${branch}]${more}}]`,
  })
  await fixture.applyOperatorSettings(rule(''))
  assert.match(await messageOf(), /annotation wadi\.dev\/waivers does not cover it, as the operator asks/)
  assert.equal(await repository.head(branch), head)
  await fixture.applyOperatorSettings(rule(', waivable: true'))
  await fixture.hydrateTo(named, 'annotated')
  assert.match(await repository.read(branch, 'annotated/manifest.yaml'), /wadi\.dev\/waivers: /)
  await fixture.applyOperatorSettings({})
})

test('a comparison warns of a waiver in an annotation that has expired, and its line is recorded', async () => {
  const { fixture } = mesh
  const repository = await hydrated(mesh, 'expiring', {
    'wadi.yaml': 'gates: {secrets: audit}\nwaiverAnnotations: [expiring]\n',
    'expiring/a.yaml': configMap('web', '1'),
  })
  const head = await repository.push({ 'expiring/a.yaml': waivedLeak.replace('2999', '2020') })
  const { applications } = await compareRevisions(fixture.gateway, {
    repoUrl: repository.url,
    revision: head,
    base: '',
  })
  assert.match(
    applications.get('expiring')?.warnings.join() ?? '',
    /waivers\/expired ConfigMap\/web metadata\.annotations\.wadi\.dev\/waivers\[0\]: the waiver of shop for secrets expired/,
  )
  await fixture.hydrateTo(head, 'expiring')
  const text = await repository.read(branchOf('expiring'), 'expiring/hydrator.metadata')
  const { findings } = JSON.parse(text) as { findings: { rule: string; place?: { line: number } }[] }
  assert.deepEqual(
    findings.map(({ rule, place }) => [rule, place?.line]),
    [
      ['waivers/expired', 4],
      ['secrets/github', 7],
    ],
  )
})
