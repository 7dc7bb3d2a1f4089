import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FailedPreconditionError, InvalidInputError, RateLimitError } from '@wadi/errors/domain-error.ts'
import { forges } from '../forges.ts'
import { github } from '../github/github-forge.ts'
import { openStandIn, pull, review, wanted } from './opened-forge-fixture.ts'
import { putPullRequest } from './put-pull-request.ts'
import { putReview } from './put-review.ts'

for (const { name } of forges) {
  suite(`pull requests of ${name}`, () => {
    test('one is opened, left alone while it is as wanted, and updated when it is not', async () => {
      await using opened = await openStandIn(name)
      const { forge, server } = opened
      const labels = name.startsWith('bitbucket') ? [] : ['deploy']
      const first = await putPullRequest(forge, wanted({ labels, reviewers: ['ada', 'wadi-bot'] }))
      assert.deepEqual([first?.outcome, first?.pullRequest.number, first?.warnings], ['opened', '1', []])
      assert.equal(first?.pullRequest.headSha, opened.heads.next)
      const [kept] = server.state.pulls
      assert.deepEqual(kept?.requestedReviewers, ['ada'])
      assert.equal(kept?.labels.length, labels.length)
      const again = await putPullRequest(forge, wanted({ reviewers: ['ada'] }))
      assert.equal(again?.outcome, 'unchanged')
      assert.equal(
        server.log.filter((line) => /^POST \S+\/(?:pulls|merge_requests|pull-?requests)[? ]/.test(line))
          .length,
        1,
      )
      const changed = await putPullRequest(forge, wanted({ body: 'Two changes.' }))
      assert.deepEqual([changed?.outcome, kept?.body], ['updated', 'Two changes.'])
      assert.deepEqual(server.violations, [])
    })

    test('a branch is found protected or not where the forge tells that to everybody', async () => {
      await using opened = await openStandIn(name)
      const { forge, server } = opened
      server.state.protectedBranches.push('main')
      const found = await Promise.all(
        ['main', 'next', 'absent'].map(async (branch) => forge.isProtected?.(branch)),
      )
      const tells = ['github', 'gitea', 'gitlab'].includes(name)
      assert.deepEqual(found, tells ? [true, false, undefined] : [undefined, undefined, undefined])
      assert.deepEqual(server.violations, [])
    })

    test('a reviewer who gave a review is not asked again, and one whom the forge does not know is a warning', async () => {
      await using opened = await openStandIn(name)
      const { forge, server } = opened
      server.state.pulls.push(pull({ reviews: ['bob'] }))
      const kept = await putPullRequest(forge, wanted({ reviewers: ['bob'] }))
      assert.deepEqual(server.state.pulls[0]?.requestedReviewers, [])
      assert.equal(kept?.outcome, 'updated')
      const odd = await putPullRequest(forge, wanted({ reviewers: ['nobody'] }))
      assert.match(
        odd?.warnings.join('\n') ?? '',
        /^reviewers: .*(?:422 Unprocessable Entity: Reviews may only|knows no account "nobody"|409 Conflict: nobody is not a user)/,
      )
    })

    test('it is merged when the forge allows it, and only with the wanted head', async () => {
      await using opened = await openStandIn(name)
      const { forge, server, heads } = opened
      const merge = { method: 'merge', headSha: heads.next } as const
      server.state.blockedBy = 'dirty'
      const blocked = await putPullRequest(forge, wanted({ merge }))
      assert.match(blocked?.waitingFor ?? '', /conflicts/)
      server.state.blockedBy = undefined
      const other = await putPullRequest(forge, wanted({ merge: { ...merge, headSha: heads.main } }))
      assert.match(other?.waitingFor ?? '', /does not show the newest commit/)
      const merged = await putPullRequest(forge, wanted({ merge }))
      assert.deepEqual([merged?.outcome, merged?.pullRequest.state], ['merged', 'merged'])
      assert.equal((await forge.pullRequest('1')).state, 'merged')
      assert.deepEqual(server.violations, [])
    })

    test('without texts an open one stays as it is and none is opened', async () => {
      await using opened = await openStandIn(name)
      const { forge, server } = opened
      assert.equal(await putPullRequest(forge, wanted({ title: '' })), undefined)
      server.state.pulls.push(pull())
      assert.equal((await putPullRequest(forge, wanted({ title: '' })))?.outcome, 'unchanged')
      await forge.close('1')
      assert.equal(server.state.pulls[0]?.state, 'closed')
      assert.equal(await forge.openBetween('next', 'main'), undefined)
    })

    test('a closed one is opened again where the forge can do that', async () => {
      await using opened = await openStandIn(name)
      const { forge, server } = opened
      server.state.pulls.push(pull())
      await forge.close('1')
      const again = await forge.reopen?.('1')
      const isKeptClosed = name === 'bitbucket'
      assert.equal(again?.state, isKeptClosed ? undefined : 'open')
      assert.equal((await forge.openBetween('next', 'main'))?.number, isKeptClosed ? undefined : '1')
      assert.deepEqual(server.violations, [])
    })

    test('a review is one status and one comment that is updated in place', async () => {
      await using opened = await openStandIn(name)
      const { forge, server, heads } = opened
      const hidden = forge.hidden('wadi:diff')
      server.state.pulls.push(pull())
      server.state.comments.push({ id: 7, pull: 1, body: `${hidden}\nFake`, author: 'mallory' })
      const first = await putReview(forge, '1', review(heads.next))
      assert.deepEqual([first.status, first.comment, first.isStale], ['written', 'written', false])
      assert.match(first.commentUrl, /(?:#(?:issuecomment-|note_|comment-)|commentId=|discussionId=)101$/)
      const again = await putReview(forge, '1', review(heads.next))
      assert.deepEqual([again.status, again.comment], ['unchanged', 'unchanged'])
      const changed = review(heads.next, { comment: { marker: 'wadi:diff', body: 'Three changes.' } })
      assert.equal((await putReview(forge, '1', changed)).comment, 'written')
      assert.deepEqual(
        server.state.comments.map(({ body, author }) => [body, author]),
        [
          [`${hidden}\nFake`, 'mallory'],
          [`${hidden}\nThree changes.`, 'wadi-bot'],
        ],
      )
      assert.equal(server.state.statuses.length, 1)
      assert.deepEqual(server.violations, [])
    })

    test('nothing is written for a head that is not the newest, or to one that is closed', async () => {
      await using opened = await openStandIn(name)
      const { forge, server, heads } = opened
      server.state.pulls.push(pull())
      assert.equal((await putReview(forge, '1', review(heads.main))).isStale, true)
      server.state.pulls.splice(0, 1, pull({ state: 'closed' }))
      assert.equal((await putReview(forge, '1', review(heads.next))).isStale, true)
      assert.deepEqual([server.state.statuses, server.state.comments], [[], []])
    })

    test('texts are cut at the limits of the forge', async () => {
      await using opened = await openStandIn(name)
      const { forge, server, heads } = opened
      server.state.pulls.push(pull())
      const long = review(heads.next, {
        status: { context: 'wadi/diff', state: 'failure', targetUrl: '', description: 'long '.repeat(200) },
        comment: { marker: 'wadi:diff', body: 'x'.repeat(1_100_000) },
      })
      await putReview(forge, '1', long)
      assert.equal(server.state.statuses[0]?.description.length, forge.limits.description)
      assert.equal(server.state.comments[0]?.body.length, forge.limits.comment)
    })

    test('a pull request from a fork is known as one', async () => {
      await using opened = await openStandIn(name)
      opened.server.state.pulls.push(pull({ fork: { repository: 'eve/shop', sha: 'e'.repeat(40) } }))
      const [found] = await opened.forge.openPullRequests()
      assert.deepEqual(
        [found?.isFork, found?.headRepository, found?.author],
        [true, name === 'gitlab' ? '' : 'eve/shop', 'ada'],
      )
      assert.equal(await opened.forge.visibility(), 'private')
    })

    test('a rate limit is an error with its end, and a write is not repeated after an error of the forge', async () => {
      await using opened = await openStandIn(name)
      const { forge, server } = opened
      const reset = Math.floor(Date.now() / 1000) + 600
      server.rejections.push({ status: 503 })
      await assert.rejects(forge.addComment('1', 'x'), /503 Service Unavailable/)
      assert.equal(server.log.length, 1)
      server.rejections.push({
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
      })
      await assert.rejects(
        forge.addComment('1', 'x'),
        (error) => error instanceof RateLimitError && error.retryAt === reset * 1000,
      )
    })
  })
}

test('annotations are a check run, written once and in parts of fifty', async () => {
  await using opened = await openStandIn('github')
  const { forge, server, heads } = opened
  server.state.pulls.push(pull())
  const annotations = Array.from({ length: 70 }, (_, line) => ({
    path: 'web/values.yaml',
    line,
    level: 'error' as const,
    title: '',
    message: 'is not a number',
  }))
  const whole = review(heads.next, { annotations })
  assert.equal((await putReview(forge, '1', whole)).annotations, 'written')
  assert.equal((await putReview(forge, '1', whole)).annotations, 'unchanged')
  assert.equal(server.state.checkRuns.length, 1)
  server.rejections.push({ status: 200, body: '{"total_count":0,"check_runs":[]}' })
  server.rejections.push({
    status: 403,
    body: '{"message":"Resource not accessible by personal access token"}',
  })
  const commit = { sha: heads.next, context: 'wadi/other', summary: '' }
  assert.equal(await forge.putAnnotations(commit, annotations), 'unsupported')
  assert.deepEqual(server.violations, [])
})

test('a marker that could end its hiding place is refused, and so is a path that no repository has', async () => {
  await using opened = await openStandIn('github')
  const comment = { marker: 'wadi--> <b>', body: '' }
  await assert.rejects(putReview(opened.forge, '1', review('', { comment })), InvalidInputError)
  for (const path of ['shop', 'a/b/c', '/shop']) {
    await assert.rejects(
      github.open({} as never, path),
      (error) => error instanceof FailedPreconditionError && error.code === 'no-forge',
    )
  }
})
