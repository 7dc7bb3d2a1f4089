import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { GetApplicationRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { until } from '@wadi/testing/until.ts'
import { callContext, openGatewayFixture, repoURL, sampleApplication } from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { getApplication } from './get-application.ts'

const newer = 'd'.repeat(40)
const older = 'c'.repeat(40)
const staged = { sourceHydrator: { hydrateTo: { targetBranch: 'environments/prod-next' } } }

interface Branch {
  drySha: string
  manifestId: string
}

/** A commit-server whose branches are these; any other branch cannot be read. */
function branches(held: Record<string, Branch>) {
  return {
    commitServer: {
      getBranch: ({ branch = '' }) => {
        const found = held[branch]
        if (found === undefined) throw new ConnectError(`${branch} cannot be reached`, Code.Unavailable)
        const { drySha, manifestId } = found
        return { position: { headSha: 'a'.repeat(40), drySha }, manifestId }
      },
    },
    hydrator: { hydrateApplication: () => ({ branchKey: 'k' }) },
  }
}

const nothing: Branch = { drySha: '', manifestId: '' }
const before: Branch = { drySha: older, manifestId: 'm1' }
const after: Branch = { drySha: newer, manifestId: 'm2' }

function request(fields: { namespace?: string; name?: string; refresh?: string } = {}) {
  return create(GetApplicationRequestSchema, { name: 'web', ...fields })
}

for (const [title, sync, next, promotion] of [
  ['both branches hold the same manifests: promoted', after, after, 'Promoted'],
  [
    'a merge that left no dry commit behind holds the same manifests: promoted',
    { ...after, drySha: '' },
    after,
    'Promoted',
  ],
  ['the staging branch is ahead: waiting', before, after, 'Waiting'],
  ['the same dry commit with other manifests: waiting', { ...before, drySha: newer }, after, 'Waiting'],
  ['nothing is hydrated yet: waiting', nothing, nothing, 'Waiting'],
  ['the branch that is deployed from holds nothing yet: waiting', nothing, after, 'Waiting'],
] as const) {
  test(title, async () => {
    await using fixture = await openGatewayFixture(
      branches({ 'environments/prod': sync, 'environments/prod-next': next }),
    )
    await fixture.context.store.create(sampleApplication('web', staged))
    assert.deepEqual((await getApplication(fixture.context)(request(), callContext())).branches, {
      syncBranch: 'environments/prod',
      syncDrySha: sync.drySha,
      hydrateToBranch: 'environments/prod-next',
      hydrateToDrySha: next.drySha,
      promotion,
    })
  })
}

test('without a staging branch there is nothing to promote', async () => {
  await using fixture = await openGatewayFixture(branches({ 'environments/prod': after }))
  await fixture.context.store.create(sampleApplication('web', { project: 'shop' }))
  const answer = await getApplication(fixture.context)(request(), callContext())
  assert.deepEqual(answer.branches, { syncBranch: 'environments/prod', syncDrySha: newer })
  assert.equal(answer.application['kind'], 'Application')
  const [{ repoUrl, branch, project, path } = {}] = fixture.requests
  assert.deepEqual([repoUrl, branch, project, path], [repoURL, 'environments/prod', 'shop', 'web'])
})

test('of the versions that its branch keeps, an Application has those that made its manifests', async () => {
  const pathTools = { helm: 'v3.22.0' }
  await using fixture = await openGatewayFixture({
    commitServer: { getBranch: () => ({ pathTools }) },
    repoServer: {
      resolveRevisions: () => ({
        installed: [
          { name: 'helm', version: 'v4.1.4' },
          { name: 'kustomize', version: 'v5.8.3' },
        ],
      }),
    },
  })
  const { context } = fixture
  const application = hydratedApplication('web', 'shop')
  const record = recordWith(application)
  const tools = { helm: 'v3.22.0', kustomize: 'v5.7.1' }
  await storeAll(context, [{ ...record, status: { ...record.status, tools } }, application])
  await until(() => context.summaries.record(branchKey(repoURL, 'environments/prod')) !== undefined)
  const kept = async () => (await getApplication(context)(request(), callContext())).keptTools
  assert.deepEqual(await kept(), [{ name: 'helm', version: '3.22.0', ownVersion: '4.1.4' }])
  // Its own directory names another version.
  pathTools.helm = 'v4.1.4'
  assert.deepEqual(await kept(), [])
})

test('the branches are those of the destination repository when there is one', async () => {
  await using fixture = await openGatewayFixture(branches({ 'environments/prod': after }))
  const destination = 'https://git.example.com/hydrated.git'
  const syncSource = { repoURL: destination, targetBranch: 'environments/prod', path: 'web' }
  await fixture.context.store.create(sampleApplication('web', { sourceHydrator: { syncSource } }))
  await getApplication(fixture.context)(request(), callContext())
  assert.deepEqual(
    fixture.requests.map(({ repoUrl }) => repoUrl),
    [destination],
  )
})

test('an Application is shown while its branches cannot be read, with the reason', async () => {
  await using fixture = await openGatewayFixture(branches({}))
  await fixture.context.store.create(sampleApplication('web', staged))
  const answer = await getApplication(fixture.context)(request(), callContext())
  assert.deepEqual(answer.branches, {
    syncBranch: 'environments/prod',
    hydrateToBranch: 'environments/prod-next',
    error: 'environments/prod cannot be reached',
  })
})

test('an Application that is not hydrated has no branches', async () => {
  await using fixture = await openGatewayFixture()
  await fixture.context.store.create({ ...sampleApplication('web'), spec: { destination: {} } })
  const answer = await getApplication(fixture.context)(request(), callContext())
  assert.ok(!('branches' in answer))
  assert.deepEqual(fixture.calls, [])
})

test('a refresh asks for a hydration, a hard one for a hard one', async () => {
  await using fixture = await openGatewayFixture(branches({ 'environments/prod': after }))
  const { store } = fixture.context
  await store.create(sampleApplication('web'))
  for (const refresh of ['normal', 'hard']) {
    fixture.calls.length = 0
    const { application } = await getApplication(fixture.context)(request({ refresh }), callContext())
    assert.match(
      JSON.stringify(application['metadata']),
      new RegExp(`"argocd.argoproj.io/hydrate":"${refresh}"`),
    )
    assert.deepEqual(fixture.calls.toSorted(), [
      'CommitServerService/GetBranch',
      'HydratorService/HydrateApplication',
    ])
  }
  const stored = await store.get('Application', 'argocd', 'web')
  assert.equal(stored?.metadata.annotations?.['argocd.argoproj.io/hydrate'], 'hard')
})

test('an Application of another namespace is not found', async () => {
  await using fixture = await openGatewayFixture()
  await fixture.context.store.create(sampleApplication('web'))
  const get = getApplication(fixture.context)
  await assert.rejects(get(request({ namespace: 'team-a' }), callContext()), { name: 'NotFoundError' })
})
