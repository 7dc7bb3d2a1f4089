import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewedStatus } from '../pull-requests/fork-status.ts'
import { openStandIn, pull, review, wanted } from '../pull-requests/opened-forge-fixture.ts'
import { putPullRequest } from '../pull-requests/put-pull-request.ts'
import { putReview } from '../pull-requests/put-review.ts'

test('Bitbucket keeps reviewers when texts change, says that it has no labels, and shows diffs unfolded', async () => {
  await using opened = await openStandIn('bitbucket')
  const { forge, server } = opened
  server.state.pulls.push(pull({ requestedReviewers: ['ada'] }))
  const title = '<details><summary><code>argocd/web: changed `a` &lt;b&gt;</code></summary>'
  const body = `${title}\n\n\`\`\`diff\n+<details>\n\`\`\`\n\n</details>\n\nEnd`
  const kept = await putPullRequest(forge, wanted({ labels: ['deploy'], reviewers: ['{bob}'], body }))
  assert.deepEqual(kept?.warnings, ['labels: pull requests of Bitbucket have no labels'])
  assert.deepEqual(server.state.pulls[0]?.requestedReviewers, ['ada', 'bob'])
  const shown = '**Diff** `` argocd/web: changed `a` <b> ``\n\n```diff\n+<details>\n```\n\n\nEnd'
  assert.equal(server.state.pulls[0]?.body, shown)
  assert.equal((await putPullRequest(forge, wanted({ body })))?.outcome, 'unchanged')
})

test('a fork of Bitbucket gets its status in the comment, which nobody else can write', async () => {
  await using opened = await openStandIn('bitbucket')
  const { forge, server } = opened
  const sha = 'e'.repeat(40)
  server.state.pulls.push(pull({ fork: { repository: 'eve/shop', sha } }))
  const asked = { sha, context: 'wadi/diff', forkNumber: '1' }
  assert.equal(await reviewedStatus(forge, asked), undefined)
  const done = [forge.hidden('wadi/diff'), forge.hidden(`wadi/diff:success:${sha}`)].join('\n')
  server.state.comments.push({ id: 7, pull: 1, body: done, author: 'eve' })
  assert.equal(await reviewedStatus(forge, asked), undefined)

  const targetUrl = 'https://wadi.example.com/impact'
  const pending = { context: 'wadi/diff', state: 'pending', description: 'comparing `x`', targetUrl } as const
  await putReview(forge, '1', review(sha, { status: pending, comment: undefined }))
  assert.equal((await reviewedStatus(forge, asked))?.state, 'pending')
  const text = () =>
    server.state.comments.filter(({ author }) => author === 'wadi-bot').map(({ body }) => body)
  const [kept = ''] = text()
  assert.ok(kept.endsWith(`**wadi/diff: pending** \`comparing 'x'\` [Details](${targetUrl})`))

  const annotation = { path: 'a.yaml', line: 1, level: 'error', title: '', message: 'no' } as const
  const status = { ...pending, state: 'success', description: '2 changed' } as const
  const comment = { marker: 'wadi/diff', body: `Two changes.\n${forge.hidden(`wadi/diff:failure:${sha}`)}` }
  const whole = review(sha, { status, comment, annotations: [annotation] })
  const written = await putReview(forge, '1', whole)
  assert.deepEqual(
    [written.status, written.comment, written.annotations],
    ['written', 'written', 'unsupported'],
  )
  assert.equal((await putReview(forge, '1', whole)).comment, 'unchanged')
  assert.equal((await reviewedStatus(forge, asked))?.state, 'success')
  assert.equal(await reviewedStatus(forge, { ...asked, sha: 'd'.repeat(40) }), undefined)
  assert.match(text().join(), /\*\*wadi\/diff: success\*\* `2 changed`\n\nTwo changes\./)
  assert.deepEqual([text().length, server.state.statuses], [1, []])
  server.rejections.push({ status: 403 })
  assert.equal(await reviewedStatus(forge, asked), undefined)
  assert.deepEqual(server.violations, [])
})
