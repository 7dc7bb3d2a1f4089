import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError, NotFoundError, RateLimitError } from '@wadi/errors/domain-error.ts'
import { openStandIn, pull, review, wanted } from '../pull-requests/opened-forge-fixture.ts'
import { putPullRequest } from '../pull-requests/put-pull-request.ts'
import { putReview } from '../pull-requests/put-review.ts'
import { azureDevOps } from './azure-devops-forge.ts'

const signInPage = '<html><title>Sign in to your account</title></html>'

test('a status of Azure DevOps is one of the commit, and one of the pull request at the push that brought it', async () => {
  await using opened = await openStandIn('azure-devops')
  const { forge, server, heads } = opened
  server.state.pulls.push(pull())
  await putReview(forge, '1', review(heads.next))
  assert.equal((await putReview(forge, '1', review(heads.next))).status, 'unchanged')
  const written = { context: 'wadi/diff', state: 'succeeded', description: '2 changed', target_url: '' }
  assert.deepEqual(server.state.statuses, [{ ...written, sha: heads.next }])
  assert.deepEqual(server.state.pullStatuses, [{ ...written, sha: '', pull: 1, iteration: 2 }])
  assert.deepEqual(server.violations, [])
})

test('a text of Azure DevOps that lists cut is compared as a whole, and cut where a pull request takes no more', async () => {
  await using opened = await openStandIn('azure-devops')
  const { forge, server } = opened
  const body = 'change '.repeat(700)
  assert.equal((await putPullRequest(forge, wanted({ body })))?.outcome, 'opened')
  assert.equal(server.state.pulls[0]?.body.length, 4_000)
  assert.equal((await putPullRequest(forge, wanted({ body })))?.outcome, 'unchanged')
  assert.deepEqual(server.violations, [])
})

test('a pull request of Azure DevOps waits for blocking policies and for statuses, and is merged when Azure DevOps says so', async () => {
  await using opened = await openStandIn('azure-devops')
  const { forge, server, heads } = opened
  const merge = { method: 'squash', headSha: heads.next } as const
  const waitingFor = async () => (await putPullRequest(forge, wanted({ merge })))?.waitingFor
  const policy = (displayName: string, isBlocking: boolean, status: string) => ({
    configuration: { isBlocking, isEnabled: true, type: { displayName } },
    status,
  })
  server.state.policies.push(
    policy('Comments', false, 'rejected'),
    policy('Build', true, 'approved'),
    policy('Work items', true, 'approved'),
    policy('Minimum number of reviewers', true, 'queued'),
  )
  assert.equal(await waitingFor(), 'policies of the branch: Minimum number of reviewers')
  server.state.policies.pop()
  await forge.putStatus(heads.next, { context: 'ci', state: 'pending', description: '', targetUrl: '' })
  assert.equal(await waitingFor(), 'checks have not passed')
  await forge.putStatus(heads.next, { context: 'ci', state: 'success', description: '', targetUrl: '' })
  server.state.completesLater = true
  assert.equal(await waitingFor(), 'Azure DevOps has not completed it yet')
  server.state.completesLater = false
  assert.equal((await putPullRequest(forge, wanted({ merge })))?.outcome, 'merged')
  assert.deepEqual(server.violations, [])
})

test('an abandoned pull request of Azure DevOps gets no review and no change', async () => {
  await using opened = await openStandIn('azure-devops')
  const { forge, server, heads } = opened
  server.state.pulls.push(pull())
  assert.equal((await forge.close('1')).state, 'closed')
  assert.equal((await putReview(forge, '1', review(heads.next))).isStale, true)
  await assert.rejects(forge.update('1', { title: 'x', body: '' }), /409 Conflict: TF401181/)
  assert.equal((await putPullRequest(forge, wanted()))?.pullRequest.number, '2')
})

test('reviewers of Azure DevOps are accounts of the teams of the project, or teams', async () => {
  await using opened = await openStandIn('azure-devops')
  const { forge, server } = opened
  server.state.pulls.push(pull())
  const kept = await putPullRequest(forge, wanted({ reviewers: ['ADA', 'somebody'] }))
  assert.deepEqual(kept?.warnings, [
    'reviewers: Azure DevOps knows no account "somebody" in the teams of acme',
  ])
  assert.equal((await putPullRequest(forge, wanted({ reviewers: ['ADA'] })))?.outcome, 'updated')
  assert.deepEqual(server.state.pulls[0]?.requestedReviewers, ['ada'])
  assert.deepEqual(server.violations, [])
})

for (const [title, rejection] of [
  ['a page for signing in', { status: 203, headers: { 'content-type': 'text/html' }, body: signInPage }],
  [
    'a redirect to sign in',
    {
      status: 302,
      headers: { location: 'https://spsprodweu1.vssps.visualstudio.com/_signin?realm=dev.azure.com' },
    },
  ],
  ['401', { status: 401 }],
] as const) {
  test(`a token that Azure DevOps rejects by ${title} is an error about the token`, async () => {
    await using opened = await openStandIn('azure-devops')
    const { forge, server } = opened
    for (const ask of [() => forge.visibility(), () => forge.addComment('1', 'x')]) {
      server.rejections.push(rejection)
      await assert.rejects(
        ask(),
        (error) =>
          error instanceof FailedPreconditionError &&
          error.code === 'http-401' &&
          /401 Unauthorized; the token is not accepted, .*needs the scopes Code \(read & write\)/.test(
            error.message,
          ),
      )
    }
  })
}

test('an error about missing rights repeats the words of Azure DevOps and names the scopes', async () => {
  await using opened = await openStandIn('azure-devops')
  const { forge, server } = opened
  const message = "TF401027: You need the Git 'PullRequestContribute' permission to perform this action."
  server.rejections.push({ status: 403, body: JSON.stringify({ message }) })
  await assert.rejects(
    forge.addComment('1', 'x'),
    /403 Forbidden: TF401027: .*; the token has no right .*scopes/,
  )
})

test('a limit of Azure DevOps ends when it says so', async () => {
  await using opened = await openStandIn('azure-devops')
  const { forge, server } = opened
  const before = Date.now()
  server.rejections.push({ status: 429, headers: { 'retry-after': '600' } })
  await assert.rejects(
    forge.visibility(),
    (error) => error instanceof RateLimitError && (error.retryAt ?? 0) >= before + 600_000,
  )
})

test('a repository of Azure DevOps that has another name now is not found, and names have spaces', async () => {
  await using opened = await openStandIn('azure-devops')
  const { server } = opened
  Object.assign(server.state, { owner: 'Web Shop', name: 'deploy it' })
  await assert.rejects(opened.forge.visibility(), (error) => error instanceof NotFoundError)
  const renamed = await opened.reopen('Web Shop/deploy it')
  server.state.pulls.push(pull())
  const [found] = await renamed.openPullRequests()
  assert.equal(found?.url, `${server.address}/Web%20Shop/_git/deploy%20it/pullrequest/1`)
  assert.deepEqual(server.violations, [])
})

test('a token of Microsoft Entra is sent as one, and a personal token as a password', () => {
  const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
  assert.deepEqual(azureDevOps.authorization({ token: jwt }), { authorization: `Bearer ${jwt}` })
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  assert.deepEqual(azureDevOps.authorization({ token: 'pat' }), basic(':pat'))
  assert.deepEqual(azureDevOps.authorization({ token: 'pat', username: 'ci' }), basic('ci:pat'))
})
