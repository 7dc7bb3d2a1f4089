import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { ConflictError, NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { ListEnvironmentsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { ChangePullRequestRequestSchema } from '@wadi/protocol/gen/wadi/pull_requests/v1/pull_requests_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { EnvironmentReader } from '../environments/environments.ts'
import { callContext, repoURL } from '../gateway-fixture.ts'
import { changePullRequest } from './change-pull-request.ts'
import { listEnvironments } from './list-environments.ts'
import { openStages, placed, sha } from './stages-fixture.ts'

const url = 'https://forge.example.com/7'

/** Two Applications of other projects that are promoted together. */
async function openPromotion(state: 'open' | 'closed' | undefined, repoUrl = repoURL) {
  const pullRequest = { number: '7', url, state, baseBranch: 'env/prod', message: '' }
  const stage = {
    branch: 'env/prod',
    hydrateTo: 'env/prod-next',
    at: 3,
    repoUrl,
    ...(state && { status: { pullRequest } }),
  }
  let isRefused = false
  const fixture = await openStages(
    [...placed('web', stage), ...placed('core', { ...stage, project: 'core' }).slice(1)],
    {
      commitServer: {
        getBranches: () => ({
          branches: [{ position: { headSha: 'c'.repeat(40), drySha: sha(1) }, unchanged: false }],
        }),
      },
      hydrator: {
        listQueuedBranches: () => ({}),
        changePullRequest: () => {
          if (isRefused) throw new ConflictError('branch env/prod is at ddddddd')
          return { number: '7', url, state: 'merged' }
        },
      },
    },
  )
  const reader = new EnvironmentReader(fixture.context)
  const request = create(ChangePullRequestRequestSchema, {
    repoUrl: repoURL,
    branch: 'env/prod-next',
    baseBranch: 'env/prod',
    change: 'merge',
    headSha: 'b'.repeat(40),
    baseSha: 'c'.repeat(40),
    number: '7',
  })
  const list = async (call: HandlerContext) => {
    const answer = await listEnvironments(fixture.context, reader)(
      create(ListEnvironmentsRequestSchema),
      call,
    )
    return answer.environments[0]?.stages.find(({ branch }) => branch === 'env/prod')
  }
  return {
    ...fixture,
    list,
    request,
    change: (call: HandlerContext) => changePullRequest(fixture.context, reader)(request, call),
    refuse: () => {
      isRefused = true
    },
  }
}

test('a stage says which changes of its pull request the caller may ask for', async () => {
  for (const [state, changes] of [
    [undefined, ['open']],
    ['open', ['merge', 'close']],
    ['closed', ['reopen']],
  ] as const) {
    await using opened = await openPromotion(state)
    const stage = await opened.list(callContext())
    assert.deepEqual(stage?.changes, changes)
    assert.deepEqual([stage.stagedSha, stage.pullRequest], ['b'.repeat(40), state === undefined ? '' : '7'])
    await storePolicy(
      opened.context,
      'p, ada, applications, get, *, allow',
      'p, ada, applications, sync, shop/*, allow',
    )
    assert.deepEqual((await opened.list(callBy('ada')))?.changes, [])
  }
})

test('no change is offered where the URL of the repository is shown without its credential', async () => {
  await using opened = await openPromotion('open', 'https://ada:secret@git.example.com/deploy.git')
  const stage = await opened.list(callContext())
  assert.deepEqual(
    [stage?.repoUrl, stage?.stagedSha, stage?.changes],
    ['https://git.example.com/deploy.git', 'b'.repeat(40), []],
  )
})

test('a change needs the right to every Application of the staging branch, and is passed on as it is', async () => {
  await using opened = await openPromotion('open')
  const { context, calls, requests } = opened
  const ofShop = ['p, ada, applications, get, shop/*, allow', 'p, ada, applications, sync, shop/*, allow']
  await assert.rejects(opened.change(callBy('ada')), NotFoundError)
  await storePolicy(context, ofShop[0] ?? '')
  await assert.rejects(opened.change(callBy('ada')), {
    name: 'PermissionDeniedError',
    message: /^permission denied: applications, sync, shop\/web/,
  })
  await storePolicy(context, ...ofShop)
  await assert.rejects(opened.change(callBy('ada')), (error) => {
    assert.ok(error instanceof PermissionDeniedError)
    assert.doesNotMatch(error.message, /core/)
    return true
  })
  assert.deepEqual(calls, [])
  await storePolicy(context, ...ofShop, 'p, ada, applications, sync, core/*, allow')
  const { $typeName: _request, ...asked } = opened.request
  assert.partialDeepStrictEqual(await opened.change(callBy('ada')), { number: '7', state: 'merged', url })
  assert.deepEqual(requests, [asked])
})

test('after a change, also a refused one, the branches are read again', async () => {
  await using opened = await openPromotion('open')
  const looks = () => opened.calls.filter((call) => call.endsWith('/GetBranches')).length
  await opened.list(callContext())
  await opened.list(callContext())
  assert.equal(looks(), 1)
  opened.refuse()
  await assert.rejects(opened.change(callContext()), ConflictError)
  await opened.list(callContext())
  assert.equal(looks(), 2)
})
