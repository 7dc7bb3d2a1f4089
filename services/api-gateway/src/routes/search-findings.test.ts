import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { GroupStatus, RecordedFinding } from '@wadi/hydration/hydrated-branch.ts'
import { SearchFindingsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, type GatewayFixture, openGatewayFixture } from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { searchFindings } from './search-findings.ts'

type Search = MessageInitShape<typeof SearchFindingsRequestSchema>

const drySha = 'd'.repeat(40)
const leak: RecordedFinding = {
  rule: 'secrets/github',
  severity: 'warn',
  object: 'ConfigMap/web',
  field: 'data.token',
  message: 'looks like a credential',
  file: 'apps/web/a.yaml',
  line: 6,
}
const typo: RecordedFinding = { ...leak, rule: 'schemas/unknown-field', severity: 'audit', field: 'spec.x' }
const waiver = { owner: 'shop', reason: 'a demo', expires: '2027-01-31' }
const waived: RecordedFinding = { ...leak, object: 'ConfigMap/demo', waiver }
const denied: RecordedFinding = { ...typo, severity: 'deny', object: 'Service/bad' }

function search({ context }: GatewayFixture, request: Search = {}, call = callContext()) {
  return searchFindings(context)(create(SearchFindingsRequestSchema, request), call)
}

function success(application: string, findings: RecordedFinding[]): Required<GroupStatus>['success'] {
  const found = { findings: [{ application, findings }], findingsLeftOut: 7 }
  return { drySha, hydratedSha: 'b'.repeat(40), members: '', settings: '', finishedAt: '', ...found }
}

/** A gateway with `web`, which has a warning, a finding for the record and a waived one, and `bad`, of which a gate denies an object. */
async function openWithFindings(): Promise<GatewayFixture> {
  const fixture = await openGatewayFixture()
  const web = hydratedApplication('web', 'shop')
  const bad = hydratedApplication('bad', 'core', 'environments/test')
  const found = { findings: [{ application: 'argocd/bad', findings: [denied] }] }
  await storeAll(fixture.context, [
    recordWith(web, { success: success('argocd/web', [waived, typo, leak]) }),
    recordWith(bad, {
      phase: 'Failed',
      drySha: 'e'.repeat(40),
      found,
      success: success('argocd/bad', [typo]),
    }),
    web,
    bad,
  ])
  return fixture
}

test('findings come by their severity, waived ones last, with the dry commit that was judged', async () => {
  await using fixture = await openWithFindings()
  const { findings, total, severities, rules, leftOut } = await search(fixture)
  assert.deepEqual(
    findings.map(({ name, severity, rule, waiver: by }) => [name, severity, rule, by?.owner]),
    [
      ['bad', 'deny', 'schemas/unknown-field', undefined],
      ['web', 'warn', 'secrets/github', undefined],
      ['web', 'audit', 'schemas/unknown-field', undefined],
      ['web', 'warn', 'secrets/github', 'shop'],
    ],
  )
  assert.deepEqual(findings[1], {
    ...leak,
    namespace: 'argocd',
    name: 'web',
    project: 'shop',
    path: 'apps/web',
    repoUrl: 'https://git.example.com/deploy.git',
    drySha,
  })
  assert.equal(findings[0]?.drySha, 'e'.repeat(40))
  assert.equal(total, 4)
  assert.deepEqual(severities, { deny: 1, warn: 1, audit: 1, waived: 1 })
  assert.deepEqual(rules, { 'secrets/github': 2, 'schemas/unknown-field': 2 })
  assert.equal(leftOut, 14)
})

test('a filter selects by severity, gate, rule, project, repository, Application and text', async () => {
  await using fixture = await openWithFindings()
  const objects = async (filter: Search['filter']) => {
    const { findings } = await search(fixture, { filter })
    return findings.map(({ name, object, field }) => `${name} ${object} ${field}`)
  }
  const [ofBad, ofLeak] = ['bad Service/bad spec.x', 'web ConfigMap/web data.token']
  const [ofTypo, ofWaived] = ['web ConfigMap/web spec.x', 'web ConfigMap/demo data.token']
  assert.deepEqual(await objects({ severities: ['deny', 'waived'] }), [ofBad, ofWaived])
  assert.deepEqual(await objects({ severities: ['warn'] }), [ofLeak])
  assert.deepEqual(await objects({ gates: ['schemas'] }), [ofBad, ofTypo])
  assert.deepEqual(await objects({ rules: ['secrets/github'] }), [ofLeak, ofWaived])
  assert.deepEqual(await objects({ projects: ['core'] }), [ofBad])
  assert.deepEqual(await objects({ namespace: 'argocd', name: 'web', gates: ['schemas'] }), [ofTypo])
  assert.equal((await objects({ repositories: ['https://GIT.example.com/deploy'] })).length, 4)
  assert.deepEqual(await objects({ repositories: ['https://git.example.com/x'] }), [])
  assert.deepEqual(await objects({ text: 'SERVICE/b' }), [ofBad])
  const { total, severities, rules } = await search(fixture, {
    filter: { severities: ['warn'], gates: ['secrets'] },
  })
  assert.equal(total, 1)
  assert.deepEqual(severities, { warn: 1, waived: 1 }, 'counted without the severities of the filter')
  assert.deepEqual(rules, { 'secrets/github': 1 }, 'counted with the severities of the filter')
  assert.deepEqual(
    (await search(fixture, { offset: 1, limit: 1 })).findings.map(({ name }) => name),
    ['web'],
  )
})

test('findings in Applications that a caller may not see are in no page and no count', async () => {
  await using fixture = await openWithFindings()
  await storePolicy(fixture.context, 'p, ada, applications, get, core/*, allow')
  const { findings, total, severities, leftOut } = await search(fixture, {}, callBy('ada'))
  assert.deepEqual([findings.map(({ name }) => name), total], [['bad'], 1])
  assert.deepEqual(severities, { deny: 1 })
  assert.equal(leftOut, 7)
  assert.deepEqual((await search(fixture, {}, callBy('bo'))).severities, {})
})
