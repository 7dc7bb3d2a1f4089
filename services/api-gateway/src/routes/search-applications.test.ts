import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  ListApplicationChoicesRequestSchema,
  SearchApplicationsRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { resourceKey } from '@wadi/resources/resource.ts'
import { until } from '@wadi/testing/until.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import {
  callContext,
  type GatewayFixture,
  openGatewayFixture,
  sampleApplication,
} from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { listApplicationChoices } from './list-application-choices.ts'
import { searchApplications } from './search-applications.ts'

type Search = MessageInitShape<typeof SearchApplicationsRequestSchema>

function search({ context }: GatewayFixture, request: Search = {}, call = callContext()) {
  return searchApplications(context)(create(SearchApplicationsRequestSchema, request), call)
}

async function names(fixture: GatewayFixture, request: Search, call = callContext()): Promise<string[]> {
  const { applications } = await search(fixture, request, call)
  return applications.map(({ name }) => name)
}

/** A gateway with five Applications: `api`, `job` and `web` hydrated, `bad` failed, `new` before its first run. */
async function openWithFive(): Promise<GatewayFixture> {
  const fixture = await openGatewayFixture()
  const { context } = fixture
  const web = hydratedApplication('web', 'shop')
  const bad = hydratedApplication('bad', 'shop', 'environments/test')
  const job = hydratedApplication('job', 'core', 'environments/jobs')
  const failed = { phase: 'Failed' as const, message: 'no such chart', finishedAt: '2026-08-20T10:00:01Z' }
  const owner = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'shops', uid: 'u' }
  await storeAll(context, [recordWith(web), recordWith(bad, failed), recordWith(job), bad, job])
  await storeAll(context, [
    { ...web, metadata: { ...web.metadata, ownerReferences: [owner] } },
    hydratedApplication('api', 'core'),
    sampleApplication('new', { sourceHydrator: { hydrateTo: { targetBranch: 'next/prod' } } }),
  ])
  await until(() => context.summaries.sorted.filter(({ summary }) => summary.phase !== '').length === 4)
  return fixture
}

test('a page has what a list shows, the total and how many there are in each phase', async () => {
  await using fixture = await openWithFive()
  const { applications, total, phases } = await search(fixture, { limit: 2 })
  assert.equal(total, 5)
  assert.deepEqual(phases, { Hydrated: 3, Failed: 1, '': 1 })
  assert.deepEqual(applications, [
    {
      namespace: 'argocd',
      name: 'api',
      project: 'core',
      repoUrl: 'https://git.example.com/deploy.git',
      path: 'apps/api',
      targetRevision: 'main',
      syncRepoUrl: 'https://git.example.com/deploy.git',
      syncBranch: 'environments/prod',
      syncPath: 'api',
      hydrateToBranch: '',
      applicationSet: '',
      deleting: false,
      phase: 'Hydrated',
      message: '',
      drySha: 'd'.repeat(40),
      hydratedSha: 'b'.repeat(40),
      startedAt: '2026-08-20T10:00:00Z',
      finishedAt: '2026-08-20T10:00:05Z',
      warnings: 0,
      foreignChange: '',
      labels: {},
      version: applications[0]?.version,
      cluster: 'https://kubernetes.default.svc',
      destinationNamespace: 'shop',
      severities: [],
      renderers: [],
      tools: [],
    },
    { ...applications[1], name: 'bad', phase: 'Failed', message: 'Failed to hydrate: no such chart' },
  ])
})

test('a filter selects by text, project, branch, phase and ApplicationSet', async () => {
  await using fixture = await openWithFive()
  assert.deepEqual(await names(fixture, { filter: { text: 'APPS/W' } }), ['web'])
  assert.deepEqual(await names(fixture, { filter: { projects: ['shop', 'other'] } }), ['bad', 'web'])
  assert.deepEqual(await names(fixture, { filter: { branches: ['next/prod', 'environments/jobs'] } }), [
    'job',
    'new',
  ])
  assert.deepEqual(await names(fixture, { filter: { applicationSet: 'shops' } }), ['web'])
  assert.deepEqual(await names(fixture, { filter: { phases: ['Failed', ''] } }), ['bad', 'new'])
  const { total, phases } = await search(fixture, { filter: { projects: ['shop'], phases: ['Failed'] } })
  assert.equal(total, 1)
  assert.deepEqual(phases, { Hydrated: 1, Failed: 1 }, 'counted without the phases of the filter')
})

const chartRenderers = { renderers: ['package'], tools: ['helm v4.1.4', 'kustomize v5.8.3'] }

/** A gateway with three labelled Applications, one with findings and known renderers. */
async function openWithLabels(): Promise<GatewayFixture> {
  const fixture = await openGatewayFixture()
  const { context } = fixture
  const labelled = (name: string, labels: Record<string, string>, branch: string) => {
    const application = hydratedApplication(name, 'shop', branch)
    return { ...application, metadata: { ...application.metadata, labels } }
  }
  const web = labelled('web', { team: 'shop', tier: '1' }, 'environments/web')
  const job = labelled('job', {}, 'environments/api')
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'jobs' }
  const finding = { object: 'ConfigMap/web', field: 'data', message: 'm' }
  const waiver = { owner: 'shop', reason: 'a demo', expires: '2999-12-31' }
  const findings = [
    { ...finding, rule: 'secrets/aws', severity: 'deny', waiver },
    { ...finding, rule: 'secrets/github', severity: 'warn' },
  ]
  const shas = { drySha: 'd'.repeat(40), hydratedSha: 'b'.repeat(40) }
  const success = { ...shas, members: '', settings: '', finishedAt: '' }
  await storeAll(context, [
    recordWith(web, {
      success: {
        ...success,
        findings: [{ application: 'argocd/web', findings }],
        renderedBy: [chartRenderers],
      },
    }),
    web,
    labelled('api', { team: 'core' }, 'environments/api'),
    { ...job, spec: { ...job.spec, destination } },
  ])
  return fixture
}

test('a filter selects by labels, dry repository, cluster, namespace, severity of findings, renderer and tool', async () => {
  await using fixture = await openWithLabels()
  const filters: [Search['filter'], string[]][] = [
    [{ selector: 'team in (shop,core)' }, ['api', 'web']],
    [{ selector: 'team=shop,tier' }, ['web']],
    [{ repositories: ['https://GIT.example.com/deploy'] }, ['api', 'job', 'web']],
    [{ repositories: ['https://git.example.com/other.git'] }, []],
    [{ clusters: ['https://kubernetes.default.svc'] }, ['api', 'job', 'web']],
    [{ clusters: ['prod'] }, []],
    [{ destinationNamespaces: ['jobs'] }, ['job']],
    [{ severities: ['waived'] }, ['web']],
    [{ severities: ['deny', ''] }, ['api', 'job']],
    [{ renderers: ['package', 'helm'] }, ['web']],
    [{ renderers: [''] }, ['api', 'job']],
    [{ tools: ['kustomize v5.8.3'] }, ['web']],
    [{ tools: ['kustomize v5.7.1'] }, []],
  ]
  for (const [filter, expected] of filters) assert.deepEqual(await names(fixture, { filter }), expected)
  await assert.rejects(search(fixture, { filter: { selector: 'team=(' } }), { name: 'InvalidInputError' })
})

test('groups hold together Applications with an equal value, those without one last', async () => {
  await using fixture = await openWithLabels()
  const grouped = async (groupBy: string) => {
    const { applications, groups } = await search(fixture, { groupBy, descending: true })
    return [applications.map(({ name }) => name), groups.map(({ value, total }) => [value, total])]
  }
  assert.deepEqual(await grouped('label:team'), [
    ['api', 'web', 'job'],
    [
      ['core', 1],
      ['shop', 1],
      ['', 1],
    ],
  ])
  assert.deepEqual(await grouped('findings'), [
    ['web', 'job', 'api'],
    [
      ['warn', 1],
      ['', 2],
    ],
  ])
  assert.deepEqual((await grouped('renderer'))[1], [
    ['package', 1],
    ['', 2],
  ])
  assert.deepEqual((await grouped('tool'))[1], [
    ['helm v4.1.4', 1],
    ['', 2],
  ])
  assert.deepEqual((await grouped('branch'))[0], ['job', 'api', 'web'])
  assert.deepEqual((await grouped('destination_namespace'))[1], [
    ['jobs', 1],
    ['shop', 2],
  ])
  for (const groupBy of ['age', 'label:', 'constructor'])
    await assert.rejects(search(fixture, { groupBy }), { message: /group_by .* is not supported/ })
})

test('pages come in the wanted order and do not overlap', async () => {
  await using fixture = await openWithFive()
  const all = ['api', 'bad', 'job', 'new', 'web']
  assert.deepEqual(await names(fixture, {}), all)
  assert.deepEqual(await names(fixture, { descending: true }), all.toReversed())
  assert.deepEqual(await names(fixture, { offset: 1, limit: 2 }), ['bad', 'job'])
  assert.deepEqual(await names(fixture, { offset: 9 }), [])
  assert.deepEqual(await names(fixture, { orderBy: 'finished_at' }), ['new', 'bad', 'api', 'job', 'web'])
  assert.deepEqual(await names(fixture, { orderBy: 'phase', descending: true }), [
    'api',
    'job',
    'web',
    'bad',
    'new',
  ])
})

test('a request out of range is refused with what is expected', async () => {
  await using fixture = await openGatewayFixture()
  const refused: [Search, RegExp][] = [
    [{ orderBy: 'age' }, /order_by "age" is not supported; expected name, finished_at or phase/],
    [{ limit: 501 }, /limit must be 1 to 500, or 0 for 100, not 501/],
    [{ offset: -1 }, /offset must be at least 0/],
    [{ filter: { text: 'x'.repeat(257) } }, /text has 257 characters, more than 256/],
  ]
  for (const [request, message] of refused) {
    await assert.rejects(search(fixture, request), { name: 'InvalidInputError', message })
  }
})

test('what a caller may not see is in no page, count or choice', async () => {
  await using fixture = await openWithFive()
  await storePolicy(fixture.context, 'p, ada, applications, get, core/*, allow')
  const ada = callBy('ada')
  const { applications, total, phases } = await search(fixture, {}, ada)
  assert.deepEqual(
    [applications.map(({ name }) => name), total, phases],
    [['api', 'job'], 2, { Hydrated: 2 }],
  )
  assert.deepEqual(await names(fixture, { filter: { applicationSet: 'shops' } }, ada), [])
  const choices = (call = callContext()) =>
    listApplicationChoices(fixture.context)(create(ListApplicationChoicesRequestSchema), call)
  assert.deepEqual(await choices(ada), {
    projects: ['core'],
    branches: ['environments/jobs', 'environments/prod'],
    applicationSets: [],
    repositories: ['https://git.example.com/deploy.git'],
    labels: [],
    clusters: ['https://kubernetes.default.svc'],
    destinationNamespaces: ['shop'],
    renderers: [],
    tools: [],
    hasMore: false,
  })
  assert.deepEqual((await choices()).applicationSets, ['shops'])
  assert.deepEqual((await search(fixture, {}, callBy('bo'))).phases, {})
})

test('an address with a password is shown without it, and it cannot be searched for', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const drySource = {
    repoURL: 'https://bot:hunter2@git.example.com/a.git',
    targetRevision: 'main',
    path: 'a',
  }
  await storeAll(context, [sampleApplication('web', { sourceHydrator: { drySource } })])
  const { applications } = await search(fixture)
  assert.deepEqual(
    [applications[0]?.repoUrl, applications[0]?.syncRepoUrl],
    ['https://git.example.com/a.git', 'https://git.example.com/a.git'],
  )
  assert.deepEqual(await names(fixture, { filter: { text: 'hunter2' } }), [])
})

test('an Application that cannot be read is listed, and one that is removed is not', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const broken = { ...sampleApplication('broken'), spec: { project: 'shop', sourceHydrator: 'x' } }
  await storeAll(context, [broken, sampleApplication('web')])
  const { applications } = await search(fixture)
  assert.deepEqual(
    applications.map(({ name, project, phase }) => [name, project, phase]),
    [
      ['broken', 'shop', ''],
      ['web', 'default', ''],
    ],
  )
  await context.store.delete('Application', 'argocd', 'broken')
  await until(() => context.summaries.get(resourceKey(broken)) === undefined)
  assert.deepEqual(await names(fixture, {}), ['web'])
})
