import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { ListEnvironmentsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { GetBranchesRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { EnvironmentReader } from '../environments/environments.ts'
import { callContext, repoURL } from '../gateway-fixture.ts'
import { storeAll } from '../summaries/summaries-fixture.ts'
import { listEnvironments } from './list-environments.ts'
import { date, openStages, placed, sha } from './stages-fixture.ts'

type Fixture = Awaited<ReturnType<typeof openStages>>

function list(
  { context }: Fixture,
  request: MessageInitShape<typeof ListEnvironmentsRequestSchema> = {},
  call = callContext(),
) {
  return listEnvironments(context, new EnvironmentReader(context))(
    create(ListEnvironmentsRequestSchema, request),
    call,
  )
}

async function first(fixture: Fixture, request?: MessageInitShape<typeof ListEnvironmentsRequestSchema>) {
  const { environments } = await list(fixture, request)
  const [environment] = environments
  assert.ok(environment)
  return environment
}

test('branches are stages with their dry commit, and dry commits have the stages that have them', async () => {
  await using fixture = await openStages([
    ...placed('dev', { branch: 'env/dev', at: 4 }),
    ...placed('prod', { branch: 'env/prod', at: 2 }),
  ])
  const { stages, commits, hasMore, commitsError, ...repository } = await first(fixture)
  assert.deepEqual(repository, { repoUrl: repoURL, chart: '', moreStages: 0, branchesError: '' })
  assert.deepEqual([hasMore, commitsError], [false, ''])
  assert.deepEqual(
    stages.map(({ branch, drySha, behind, state }) => [branch, drySha, behind, state]),
    [
      ['env/dev', sha(4), 0, 'Hydrated'],
      ['env/prod', sha(2), 2, 'Hydrated'],
    ],
  )
  assert.partialDeepStrictEqual(stages[1], {
    since: '2026-08-20T10:00:05Z',
    hydratedSha: 'b'.repeat(40),
    targetRevision: 'main',
    application: 'argocd/prod',
    applications: 1,
    nextDrySha: '',
  })
  assert.deepEqual(commits, [
    { sha: sha(4), author: 'Ada <ada@example.com>', date, subject: 'Change 4', stages: [0] },
    { sha: sha(3), author: 'Ada <ada@example.com>', date, subject: 'Change 3', stages: [0] },
    { sha: sha(2), author: 'Ada <ada@example.com>', date, subject: 'Change 2', stages: [0, 1] },
  ])
  const asked = () => fixture.calls.filter((call) => call.endsWith('/ListCommitsBetween')).length
  assert.equal(asked(), 1)
})

test('a stage says what waits and why: a run, the queue, an error, and somebody who must decide', async () => {
  const foreignChange = { kind: 'edited', policy: 'block', paths: ['a'], knownHead: '', headSha: '' }
  const failed = { phase: 'Failed', message: 'gates deny what it renders to' }
  await using fixture = await openStages(
    [
      ...placed('one', { branch: 'env/1', at: 5, held: 4, group: { phase: 'Hydrating' } }),
      ...placed('two', { branch: 'env/2', at: 4 }),
      ...placed('three', { branch: 'env/3', at: 5, held: 3, group: failed }),
      ...placed('four', { branch: 'env/4', at: 5, held: 2, group: failed, status: { foreignChange } }),
    ],
    {
      hydrator: {
        listQueuedBranches: () => ({
          branches: [{ branchKey: branchKey(repoURL, 'env/2'), state: 'Waiting' }],
        }),
      },
    },
  )
  const { stages, commits } = await first(fixture)
  assert.deepEqual(
    stages.map(({ state, reason, behind, nextDrySha }) => [state, reason, behind, nextDrySha]),
    [
      ['Running', '', 1, sha(5)],
      ['Waiting', 'in the queue', 1, ''],
      ['Failed', 'Failed to hydrate: gates deny what it renders to', 2, sha(5)],
      ['HeldBack', 'Failed to hydrate: gates deny what it renders to', 3, sha(5)],
    ],
  )
  assert.deepEqual(commits[0]?.stages, [])
})

test('a branch that a staging branch is merged to is the next stage, with its pull request', async () => {
  const pullRequest = {
    number: '7',
    url: 'https://forge.example.com/7',
    state: 'open',
    baseBranch: 'env/prod',
    message: 'waiting: checks have not passed',
  }
  const position = { headSha: 'c'.repeat(40), drySha: sha(1) }
  let answer = { position, unchanged: false, headDate: date }
  await using fixture = await openStages(
    placed('prod', { branch: 'env/prod', hydrateTo: 'env/prod-next', at: 3, status: { pullRequest } }),
    { commitServer: { getBranches: () => ({ branches: [answer] }) } },
  )
  const { stages, commits } = await first(fixture)
  assert.deepEqual(
    stages.map(({ branch, promotedFrom, drySha, behind }) => [branch, promotedFrom, drySha, behind]),
    [
      ['env/prod-next', '', sha(3), 0],
      ['env/prod', 'env/prod-next', sha(1), 2],
    ],
  )
  assert.partialDeepStrictEqual(stages[1], {
    state: 'PullRequest',
    reason: 'waiting: checks have not passed',
    pullRequestUrl: 'https://forge.example.com/7',
    nextDrySha: sha(3),
    since: date,
    hydratedSha: 'c'.repeat(40),
  })
  assert.equal(commits.length, 3)
  const [asked] = fixture.requests.filter(({ branches }) => branches !== undefined)
  const [branch] = (asked as unknown as GetBranchesRequest).branches
  assert.deepEqual([branch?.branch, branch?.knownHead], ['env/prod', 'b'.repeat(40)])
  // Everything of the staging branch has arrived, in a commit whose record names an older dry commit.
  answer = { position, unchanged: true, headDate: date }
  const after = await first(fixture)
  assert.partialDeepStrictEqual(after.stages[1], {
    state: 'Promoted',
    drySha: sha(3),
    behind: 0,
    nextDrySha: '',
  })
})

test('stages are in the order of argocd-cm, and a staging branch comes before the branch that it is merged to', async () => {
  await using fixture = await openStages(
    ['dev', 'prod', 'qa', 'stage'].flatMap((name) =>
      placed(name, { branch: `env/${name}`, at: 1, ...(name === 'prod' && { hydrateTo: 'env/z-prod' }) }),
    ),
    { commitServer: { getBranches: () => ({ branches: [{}] }) } },
  )
  const order = async () => (await first(fixture)).stages.map(({ branch }) => branch)
  assert.deepEqual(await order(), ['env/dev', 'env/z-prod', 'env/prod', 'env/qa', 'env/stage'])
  await storeAll(fixture.context, [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: 'argocd' },
      data: { 'sourceHydrator.environments': 'env/dev*, env/[a-zA-Z]\nenv/q?\n env/prod' },
    },
  ])
  assert.deepEqual(await order(), ['env/dev', 'env/qa', 'env/z-prod', 'env/prod', 'env/stage'])
})

test('a caller sees the stages of the Applications that they may see, by repository and ApplicationSet', async () => {
  const [record, application] = placed('dev', { branch: 'env/dev', at: 2, project: 'core' })
  assert.ok(record && application)
  const ownerReferences = [
    { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'fleet', uid: 'u' },
  ]
  const owned = { ...application, metadata: { ...application.metadata, ownerReferences } }
  await using fixture = await openStages([record, owned, ...placed('prod', { branch: 'env/prod', at: 1 })])
  await storePolicy(fixture.context, 'p, ada, applications, get, shop/*, allow')
  const seen = async (request: MessageInitShape<typeof ListEnvironmentsRequestSchema>, name?: string) => {
    const answer = await list(fixture, request, name === undefined ? callContext() : callBy(name))
    return answer.environments.map(({ stages }) => stages.map(({ branch }) => branch))
  }
  assert.deepEqual(await seen({}), [['env/dev', 'env/prod']])
  assert.deepEqual(await seen({}, 'ada'), [['env/prod']])
  assert.deepEqual(await seen({}, 'bob'), [])
  assert.deepEqual(await seen({ applicationSet: 'fleet' }), [['env/dev']])
  assert.deepEqual(await seen({ repository: 'git@git.example.com:deploy' }), [['env/dev', 'env/prod']])
  assert.deepEqual(await seen({ repository: 'https://git.example.com/other' }), [])
  assert.deepEqual(await seen({ offset: 1 }), [])
  await assert.rejects(seen({ limit: 51 }), { message: 'limit must be 1 to 50, or 0 for 10, not 51' })
  await assert.rejects(seen({ commits: 501 }), { name: 'InvalidInputError' })
})

test('a repository, a queue and branches that cannot be read do not hide the stages', async () => {
  const fail = () => {
    throw new ConnectError('no answer', Code.Unavailable)
  }
  await using fixture = await openStages(
    placed('prod', { branch: 'env/prod', hydrateTo: 'env/prod-next', at: 3 }),
    {
      hydrator: { listQueuedBranches: fail },
      repoServer: { listCommitsBetween: fail },
      commitServer: { getBranches: fail },
    },
  )
  const { environments, queueError } = await list(fixture)
  assert.match(queueError, /no answer/)
  assert.match(environments[0]?.commitsError ?? '', /no answer/)
  assert.match(environments[0]?.branchesError ?? '', /no answer/)
  assert.deepEqual(
    environments[0]?.stages.map(({ branch, drySha, state }) => [branch, drySha, state]),
    [
      ['env/prod-next', sha(3), 'Hydrated'],
      ['env/prod', '', ''],
    ],
  )
})
