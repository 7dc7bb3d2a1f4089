import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStandIn, pull, review, wanted } from './opened-forge-fixture.ts'
import { putPullRequest } from './put-pull-request.ts'
import { putReview } from './put-review.ts'

test('annotations of Bitbucket are a report, written once and replaced by others', async () => {
  await using opened = await openStandIn('bitbucket')
  const { forge, server, heads } = opened
  server.state.pulls.push(pull())
  const annotation = {
    path: 'web/values.yaml',
    line: 2,
    level: 'error',
    title: '',
    message: 'is not a number',
  } as const
  const whole = review(heads.next, { annotations: [annotation, { ...annotation, line: 0 }] })
  assert.equal((await putReview(forge, '1', whole)).annotations, 'written')
  assert.equal((await putReview(forge, '1', whole)).annotations, 'unchanged')
  assert.equal((await putReview(forge, '1', { ...whole, annotations: [annotation] })).annotations, 'written')
  const [report, ...others] = server.state.checkRuns
  assert.deepEqual([others, report?.body['result'], report?.body['key']], [[], 'FAILED', 'wadi-diff'])
  const marks = report?.body['annotations']
  assert.deepEqual(Array.isArray(marks) && marks.map(({ path, line, summary }) => [path, line, summary]), [
    ['web/values.yaml', 2, 'is not a number'],
  ])
  server.rejections.push({ status: 403 })
  const commit = { sha: heads.next, context: 'wadi/other', summary: '' }
  assert.equal(await forge.putAnnotations(commit, [annotation]), 'unsupported')
  assert.deepEqual(server.violations, [])
})

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
