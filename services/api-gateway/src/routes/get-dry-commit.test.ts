import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import {
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { GetDryCommitRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import type { ListHistoryRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { EnvironmentReader } from '../environments/environments.ts'
import { callContext, repoURL } from '../gateway-fixture.ts'
import { getDryCommit } from './get-dry-commit.ts'
import { date, openStages, placed, sha, straightHistory } from './stages-fixture.ts'

const hydrated = (letter: string) => letter.repeat(40)

/** The dry commits of the hydrated ones of a branch, each with the directories that it changed. */
type Histories = Readonly<Record<string, readonly [number, ...string[]][]>>

async function openCommits(
  resources: Parameters<typeof openStages>[0],
  histories: Histories,
  peers: Parameters<typeof openStages>[1] = {},
) {
  const references = [
    { sha: 'abcdef0', subject: 'Build 7', repoUrl: 'https://user:secret@git.example.com/code' },
  ]
  const author = 'Ada <ada@example.com>'
  const commit = {
    sha: sha(3),
    author,
    date,
    subject: 'Change 3',
    body: 'Why\n',
    references,
    parents: [sha(2), sha(9)],
  }
  const fixture = await openStages(resources, {
    repoServer: { listCommitsBetween: straightHistory, getCommit: () => ({ commit }) },
    ...peers,
    commitServer: {
      listHistory: ({ branch }: ListHistoryRequest) => {
        const history = histories[branch]
        if (!history) throw new UnavailableError('no answer')
        const entries = history.map(([digit, ...changedPaths]) => ({
          hydratedSha: hydrated('bcdef'[digit] ?? ''),
          drySha: sha(digit),
          date,
          changedPaths,
        }))
        return { entries }
      },
      getBranches: () => ({
        branches: [{ position: { headSha: hydrated('a'), drySha: sha(1) }, unchanged: false }],
      }),
    },
  })
  const { context } = fixture
  const open = () => getDryCommit(context, new EnvironmentReader(context))
  const asked = create(GetDryCommitRequestSchema, { repoUrl: repoURL, sha: sha(3) })
  const route = open()
  const get = (call: HandlerContext = callContext(), parts = {}) => route({ ...asked, ...parts }, call)
  // Another gateway keeps nothing yet.
  const reopen = () => open()(asked, callContext())
  return { ...fixture, get, reopen }
}

test('each branch says what a dry commit changed on it, or why not', async () => {
  const failed = { phase: 'Failed', message: 'gates deny what it renders to' }
  await using opened = await openCommits(
    [
      ...placed('changed', { branch: 'env/1', at: 4 }),
      ...placed('same', { branch: 'env/2', at: 4 }),
      ...placed('later', { branch: 'env/3', at: 4 }),
      ...placed('failed', { branch: 'env/4', at: 3, held: 2, group: failed }),
      ...placed('prod', { branch: 'env/6', hydrateTo: 'env/5', at: 4 }),
      ...placed('lost', { branch: 'env/7', at: 4 }),
    ],
    {
      'env/1': [[4], [3, 'changed'], [2, 'changed']],
      'env/2': [[2, 'same']],
      'env/3': [
        [4, 'later'],
        [1, 'later'],
      ],
      'env/4': [[2, 'failed']],
      'env/5': [[3, 'prod']],
    },
  )
  const { commit, stages } = await opened.get()
  assert.partialDeepStrictEqual(commit, {
    subject: 'Change 3',
    body: 'Why\n',
    author: 'Ada <ada@example.com>',
  })
  assert.equal(commit?.references[0]?.repoUrl, 'https://git.example.com/code')
  assert.deepEqual(
    stages.map(({ branch, outcome, reason, hydratedSha, applications }) => [
      branch,
      outcome,
      reason,
      hydratedSha,
      applications?.filter(({ changed }) => changed).map(({ name }) => name),
    ]),
    [
      ['env/1', 'Changed', '', hydrated('e'), ['changed']],
      ['env/2', 'Unchanged', 'nothing that this branch is rendered from changed', '', []],
      [
        'env/3',
        'Together',
        'the next hydrated commit is of the newer dry commit 4444444',
        hydrated('f'),
        ['later'],
      ],
      ['env/4', 'Waiting', 'Failed to hydrate: gates deny what it renders to', '', []],
      ['env/5', 'Changed', '', hydrated('e'), ['prod']],
      ['env/6', 'Waiting', 'for a promotion', '', []],
      ['env/7', '', 'no answer', '', []],
    ],
  )
  assert.partialDeepStrictEqual(stages[3]?.run, { phase: 'Failed', message: 'gates deny what it renders to' })
  assert.equal(stages[0]?.run, undefined)
})

test('the run, the findings of gates and the proof are those of the newest hydrated commit alone', async () => {
  const proof = {
    commit: hydrated('e'),
    key: 'SHA256:key',
    owner: 'Wadi',
    attested: true,
    gates: 'WARNED',
    gateWarnings: 2,
    verifiedAt: date,
  }
  const finding = {
    rule: 'secrets/github',
    severity: 'warn',
    object: 'ConfigMap/web',
    field: '',
    message: '',
  }
  const findings = [{ application: 'argocd/web', findings: [finding, finding] }]
  const success = { drySha: sha(3), hydratedSha: hydrated('e'), finishedAt: date, proof, findings }
  await using opened = await openCommits(placed('web', { branch: 'env/1', at: 3, group: { success } }), {
    'env/1': [[3, 'web']],
  })
  const [stage] = (await opened.get()).stages
  assert.deepEqual(stage?.proof, {
    key: 'SHA256:key',
    owner: 'Wadi',
    attested: true,
    gates: 'passed, 2 warnings',
    verifiedAt: date,
  })
  assert.equal(stage.run?.phase, 'Hydrated')
  assert.equal(stage.applications?.[0]?.findings, 2)
})

test('a commit of a repository of which a caller sees no Application is not found', async () => {
  await using opened = await openCommits(
    [
      ...placed('dev', { branch: 'env/1', at: 3, project: 'core' }),
      ...placed('prod', { branch: 'env/2', at: 3 }),
    ],
    { 'env/1': [], 'env/2': [] },
  )
  await storePolicy(opened.context, 'p, ada, applications, get, shop/*, allow')
  assert.deepEqual(
    (await opened.get(callBy('ada'))).stages.map(({ branch }) => branch),
    ['env/2'],
  )
  await assert.rejects(opened.get(callBy('bob')), NotFoundError)
  await assert.rejects(opened.get(callContext(), { repoUrl: 'https://git.example.com/other' }), NotFoundError)
  await assert.rejects(opened.get(callContext(), { sha: 'main' }), InvalidInputError)
})

test('the review is that of the commit, or of one that it merged, and is asked for once a minute', async () => {
  const asked: string[] = []
  let failure: Error | undefined
  await using opened = await openCommits(
    placed('dev', { branch: 'env/1', at: 3 }),
    { 'env/1': [] },
    {
      forges: {
        getCommitStatus: ({ sha: commit, context }) => {
          asked.push(commit)
          if (failure) throw failure
          assert.equal(context, 'wadi/diff')
          const status = {
            state: 'success',
            description: '1 object changed',
            targetUrl: 'https://wadi.example.com',
          }
          return commit === sha(9) ? { status } : {}
        },
      },
    },
  )
  const { commit } = await opened.get()
  assert.partialDeepStrictEqual(commit.review, {
    sha: sha(9),
    state: 'success',
    description: '1 object changed',
  })
  await opened.get()
  assert.deepEqual(asked, [sha(3), sha(9)])
  assert.equal(opened.calls.filter((call) => call.endsWith('/ListHistory')).length, 1)
  const later = (error: Error) => {
    failure = error
    return opened.reopen()
  }
  assert.match((await later(new UnavailableError('no answer'))).commit.reviewError ?? '', /no answer/)
  const unknown = await later(new FailedPreconditionError('which forge?', { code: 'no-forge' }))
  assert.deepEqual([unknown.commit.reviewError, unknown.commit.review], [undefined, undefined])
})

test('a history of dry commits that cannot be read is the reason why nothing is known', async () => {
  await using opened = await openCommits(
    placed('dev', { branch: 'env/1', at: 3 }),
    { 'env/1': [[3, 'dev']] },
    {
      repoServer: {
        getCommit: () => ({ commit: { sha: sha(3) } }),
        listCommitsBetween: () => {
          throw new UnavailableError('no route')
        },
      },
    },
  )
  const [stage] = (await opened.get()).stages
  assert.deepEqual([stage?.outcome, stage?.hydratedSha], ['', ''])
  assert.match(stage?.reason ?? '', /no route/)
})
