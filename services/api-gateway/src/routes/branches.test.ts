import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  GetBranchRequestSchema,
  ListBranchesRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { until } from '@wadi/testing/until.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, repoURL } from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { getBranch } from './get-branch.ts'
import { listBranches } from './list-branches.ts'

const head = 'a'.repeat(40)
const noted = 'e'.repeat(40)

/** A gateway with `web` and `api` on one branch, where `api` failed, and `job` of another project on another branch. */
async function openWithBranches(peers: Parameters<typeof openGatewayFixture>[0] = {}) {
  const fixture = await openGatewayFixture({
    hydrator: {
      listQueuedBranches: () => ({
        branches: [{ branchKey: branchKey(repoURL, 'environments/prod'), state: 'Waiting' }],
      }),
    },
    commitServer: {
      getBranch: () => ({ position: { headSha: head, drySha: noted, noteId: 'n' } }),
      listHistory: () => ({ entries: [{ hydratedSha: head, drySha: noted, subject: 'Raise replicas' }] }),
    },
    ...peers,
  })
  const { context } = fixture
  const web = hydratedApplication('web', 'shop')
  const job = hydratedApplication('job', 'core', 'environments/jobs')
  const failed = {
    phase: 'Failed' as const,
    failures: [{ application: 'argocd/api', message: 'api/values.yaml:3: not a map' }],
  }
  await storeAll(context, [recordWith(web, failed), recordWith(job), job])
  await storeAll(context, [web, hydratedApplication('api', 'secret')])
  await until(() => context.summaries.sorted.every(({ summary }) => summary.phase !== ''))
  return fixture
}

type Fixture = Awaited<ReturnType<typeof openWithBranches>>

function list(
  { context }: Fixture,
  request: MessageInitShape<typeof ListBranchesRequestSchema> = {},
  call = callContext(),
) {
  return listBranches(context)(create(ListBranchesRequestSchema, request), call)
}

function get({ context }: Fixture, branch: string, call = callContext(), repoUrl = repoURL) {
  return getBranch(context)(create(GetBranchRequestSchema, { repoUrl, branch }), call)
}

test('branches are listed with their phase, their failure, their commits and their state in the queue', async () => {
  await using fixture = await openWithBranches()
  const { branches, total, phases, queueError } = await list(fixture)
  assert.deepEqual([total, phases, queueError], [2, { Failed: 1, Hydrated: 1 }, ''])
  assert.deepEqual(branches[1], {
    repoUrl: repoURL,
    branch: 'environments/prod',
    syncBranches: ['environments/prod'],
    phase: 'Failed',
    message: 'Failed to hydrate: api/values.yaml:3: not a map',
    queue: 'Waiting',
    applications: 2,
    drySha: 'd'.repeat(40),
    hydratedSha: 'b'.repeat(40),
    startedAt: '2026-08-20T10:00:00Z',
    finishedAt: '2026-08-20T10:00:05Z',
    foreignChange: '',
    pullRequestUrl: '',
    pullRequest: '',
    tools: {},
  })
  assert.deepEqual([branches[0]?.branch, branches[0]?.queue], ['environments/jobs', ''])
})

test('branches are selected by text and phase, page by page', async () => {
  await using fixture = await openWithBranches()
  const names = async (request: MessageInitShape<typeof ListBranchesRequestSchema>) =>
    (await list(fixture, request)).branches.map(({ branch }) => branch)
  assert.deepEqual(await names({ text: 'JOBS' }), ['environments/jobs'])
  assert.deepEqual(await names({ text: 'nowhere' }), [])
  assert.deepEqual(await names({ phases: ['Failed'] }), ['environments/prod'])
  assert.deepEqual(await names({ offset: 1, limit: 1 }), ['environments/prod'])
  await assert.rejects(names({ limit: 501 }), { name: 'InvalidInputError' })
})

test('a caller sees of a branch what belongs to the Applications that they may see', async () => {
  await using fixture = await openWithBranches()
  await storePolicy(fixture.context, 'p, ada, applications, get, shop/*, allow')
  const ada = callBy('ada')
  const { branches, total, phases } = await list(fixture, {}, ada)
  assert.deepEqual([total, phases], [1, { Failed: 1 }])
  assert.equal(branches[0]?.applications, 1)
  const { applications, sources } = await get(fixture, 'environments/prod', ada)
  assert.deepEqual(
    applications.map(({ name }) => name),
    ['web'],
  )
  assert.equal(sources.length, 1)
  const history = fixture.requests.at(-1)
  assert.deepEqual([history?.['path'], history?.['otherPaths']], ['web', []])
  await assert.rejects(get(fixture, 'environments/jobs', ada), {
    name: 'NotFoundError',
    message: `branch "environments/jobs" of ${repoURL} not found`,
  })
})

test('a branch has its Applications, its dry sources with the note, and its newest commits', async () => {
  await using fixture = await openWithBranches()
  const answer = await get(fixture, 'environments/prod', callContext(), 'HTTPS://git.example.com/deploy')
  assert.deepEqual(
    answer.applications.map(({ name }) => name),
    ['api', 'web'],
  )
  assert.deepEqual(answer.sources, [
    {
      repoUrl: repoURL,
      targetRevision: 'main',
      drySha: 'd'.repeat(40),
      hydratedDrySha: 'd'.repeat(40),
      notedDrySha: noted,
      phase: 'Failed',
      startedAt: '2026-08-20T10:00:00Z',
      finishedAt: '2026-08-20T10:00:05Z',
      chart: '',
    },
  ])
  assert.partialDeepStrictEqual(answer, {
    headSha: head,
    branch: { queue: 'Waiting', applications: 2 },
    commits: [{ subject: 'Raise replicas', drySha: noted }],
  })
  const history = fixture.requests.at(-1)
  assert.deepEqual([history?.['path'], history?.['otherPaths']], ['api', ['web']])
})

test('a branch has the versions that it keeps although the installation has others, unless repo-server does not answer', async () => {
  const installed = [
    { name: 'helm', version: 'v4.3.1' },
    { name: 'kustomize', version: 'v5.7.1' },
  ]
  let resolveRevisions = () => ({ installed })
  let foundTools = ['helm']
  await using fixture = await openWithBranches({
    repoServer: { resolveRevisions: () => resolveRevisions() },
    commitServer: {
      getBranch: () => ({ position: { headSha: head }, foundTools }),
      listHistory: () => ({}),
    },
  })
  const { context } = fixture
  assert.deepEqual((await get(fixture, 'environments/jobs')).keptTools, [])
  assert.ok(!fixture.calls.includes('RepoServerService/ResolveRevisions'))
  const other = hydratedApplication('old', 'shop', 'environments/old')
  const record = recordWith(other)
  const tools = { helm: 'v4.1.4', kustomize: 'v5.7.1' }
  await storeAll(context, [{ ...record, status: { ...record.status, tools } }, other])
  await until(() => context.summaries.record(branchKey(repoURL, 'environments/old')) !== undefined)
  const kept = async () => (await get(fixture, 'environments/old')).keptTools
  assert.deepEqual(await kept(), [{ name: 'helm', version: '4.1.4', ownVersion: '4.3.1' }])
  const [asked] = fixture.requests.filter(({ branch }) => branch === 'environments/old')
  assert.deepEqual(asked?.['soughtTools'], { helm: 'v4.1.4' })
  foundTools = []
  assert.deepEqual(await kept(), [])
  foundTools = ['helm']
  resolveRevisions = () => {
    throw new ConnectError('no route', Code.Unavailable)
  }
  assert.deepEqual(await kept(), [])
})

test('a queue and a repository that cannot be reached do not hide what is known', async () => {
  const fail = () => {
    throw new ConnectError('no answer', Code.Unavailable)
  }
  await using fixture = await openWithBranches({
    hydrator: { listQueuedBranches: fail },
    commitServer: { getBranch: fail },
  })
  const listed = await list(fixture)
  assert.deepEqual([listed.total, listed.branches[1]?.queue], [2, ''])
  assert.match(listed.queueError, /no answer/)
  const answer = await get(fixture, 'environments/prod')
  assert.match(answer.error ?? '', /no answer/)
  assert.deepEqual([answer.commits, answer.sources[0]?.notedDrySha], [undefined, ''])
})

test('a note that lists several dry sources is asked for each of them', async () => {
  const dryCommits = [
    { repoUrl: 'https://git.example.com/other.git', targetRevision: 'main', drySha: 'f'.repeat(40) },
    { repoUrl: repoURL, targetRevision: 'main', drySha: 'c'.repeat(40) },
  ]
  await using fixture = await openWithBranches({
    commitServer: {
      getBranch: () => ({ position: { headSha: head, drySha: noted, noteId: 'n', dryCommits } }),
      listHistory: () => ({}),
    },
  })
  const { sources } = await get(fixture, 'environments/prod')
  assert.equal(sources[0]?.notedDrySha, 'c'.repeat(40))
})
