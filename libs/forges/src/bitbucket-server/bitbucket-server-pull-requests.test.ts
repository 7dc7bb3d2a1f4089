import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStandIn, pull, wanted } from '../pull-requests/opened-forge-fixture.ts'
import { putPullRequest } from '../pull-requests/put-pull-request.ts'

test('Bitbucket Data Center keeps reviewers when texts change, and waits for builds that it does not require', async () => {
  await using opened = await openStandIn('bitbucket-server')
  const { forge, server, heads } = opened
  server.state.pulls.push(pull({ requestedReviewers: ['ada'] }))
  const merge = { method: 'merge', headSha: heads.next } as const
  const status = { context: 'ci', state: 'pending', description: '', targetUrl: '' } as const
  await forge.putStatus(heads.next, status)
  const kept = await putPullRequest(forge, wanted({ labels: ['deploy'], reviewers: ['bob'], merge }))
  assert.deepEqual(kept?.warnings, ['labels: pull requests of Bitbucket have no labels'])
  assert.equal(kept.waitingFor, 'checks have not passed')
  assert.deepEqual(server.state.pulls[0]?.requestedReviewers, ['ada', 'bob'])
  assert.deepEqual(server.violations, [])
})

test('a status of Bitbucket Data Center that leads nowhere, or too far, leads to the page of its commit', async () => {
  await using opened = await openStandIn('bitbucket-server')
  const { forge, server, heads } = opened
  const status = { context: 'wadi/diff', state: 'error', description: 'no', targetUrl: '' } as const
  const long = `https://wadi.example.com/${'x'.repeat(450)}`
  for (const targetUrl of ['', long]) {
    await forge.putStatus(heads.next, { ...status, targetUrl })
    assert.equal(
      server.state.statuses[0]?.target_url,
      `${server.address}/projects/acme/repos/shop/commits/${heads.next}`,
    )
    assert.deepEqual(await forge.status(heads.next, 'wadi/diff'), status)
  }
  assert.equal(await forge.status(heads.next, 'wadi/other'), undefined)
  assert.deepEqual(server.violations, [])
})

test('the head of a fork is brought into the repository of Bitbucket Data Center once', async () => {
  await using opened = await openStandIn('bitbucket-server')
  const { forge, server } = opened
  const sha = '5e'.repeat(20)
  server.state.pulls.push(pull({ fork: { repository: '~eve/shop', sha } }), pull({ number: 2 }))
  for (const _ of ['first', 'second']) {
    const [found] = await forge.openPullRequests()
    assert.deepEqual([found?.headSha, found?.isFork, found?.isHeadElsewhere], [sha, true, undefined])
  }
  assert.deepEqual(
    server.log.filter((line) => line.includes('/changes')).map((line) => line.replace(/^.*repos/, '')),
    ['/shop/pull-requests/1/changes?limit=1 -> 200'],
  )
  assert.deepEqual(server.violations, [])
})
