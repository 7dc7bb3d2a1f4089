import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { FailedPreconditionError, InvalidInputError, RateLimitError } from '@wadi/errors/domain-error.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { apiBase } from '../forge-address.ts'
import { forgeApi } from '../forge-api.ts'
import { ForgeClient } from '../forge-client.ts'
import { generatorWords } from '../forge-failure.ts'
import { type StandInPull, standInState } from './forge-state-fixture.ts'
import { openForge } from './open-forge.ts'
import type { PullRequestForge } from './pull-request-forge.ts'
import { putPullRequest, type WantedPullRequest } from './put-pull-request.ts'
import { putReview, type Review } from './put-review.ts'
import { type StandInForge, standInToken, startStandInForge } from './stand-in-server-fixture.ts'

const { signal } = new AbortController()

interface Opened extends AsyncDisposable {
  server: StandInForge
  forge: PullRequestForge
  /** Commits of the branches. */
  heads: { main: string; next: string }
}

/** A forge with the branches `main` and `next`, which is one commit ahead. */
async function open(name: 'github' | 'gitea' | 'gitlab'): Promise<Opened> {
  await using owned = new AsyncDisposableStack()
  const folder = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-forge-')))
  const copy = await createRepository(join(folder.path, 'copy'), {})
  const main = await copy.commitFiles({ 'a.txt': '1\n' }, 'First')
  const next = await copy.commitFiles({ 'a.txt': '2\n' }, 'Second')
  const directory = join(folder.path, 'copy', '.git')
  await runTestGit(directory, ['update-ref', 'refs/heads/main', main])
  await runTestGit(directory, ['update-ref', 'refs/heads/next', next])
  const server = owned.use(await startStandInForge(name, standInState(directory)))
  const client = owned.use(new ForgeClient({ waitMs: 0, answerMs: 20_000 }))
  const login = {
    forge: name,
    base: apiBase(name, server.address),
    token: standInToken,
    insecure: false,
    authorities: undefined,
    mayBeInner: true,
    words: generatorWords,
  }
  const forge = openForge(name, forgeApi(client, login, signal), 'acme/shop')
  const moved = owned.move()
  return { server, forge, heads: { main, next }, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

function wanted(parts: Partial<WantedPullRequest> = {}): WantedPullRequest {
  const text = { title: 'Promote next to main', body: 'One change.' }
  return { head: 'next', base: 'main', ...text, labels: [], reviewers: [], merge: undefined, ...parts }
}

function pull(parts: Partial<StandInPull> = {}): StandInPull {
  return {
    number: 1,
    title: 'A change',
    body: '',
    head: 'next',
    base: 'main',
    state: 'open',
    isMerged: false,
    isDraft: false,
    author: 'ada',
    labels: [],
    requestedReviewers: [],
    reviews: [],
    ...parts,
  }
}

function review(headSha: string, parts: Partial<Review> = {}): Review {
  const status = { context: 'wadi/diff', state: 'success', description: '2 changed', targetUrl: '' } as const
  return {
    headSha,
    status,
    comment: { marker: 'wadi:diff', body: 'Two changes.' },
    annotations: [],
    ...parts,
  }
}

for (const name of ['github', 'gitea', 'gitlab'] as const) {
  suite(`pull requests of ${name}`, () => {
    test('one is opened, left alone while it is as wanted, and updated when it is not', async () => {
      await using opened = await open(name)
      const { forge, server } = opened
      const first = await putPullRequest(
        forge,
        wanted({ labels: ['deploy'], reviewers: ['ada', 'wadi-bot'] }),
      )
      assert.deepEqual([first?.outcome, first?.pullRequest.number, first?.warnings], ['opened', '1', []])
      assert.equal(first?.pullRequest.headSha, opened.heads.next)
      const [kept] = server.state.pulls
      assert.deepEqual(kept?.requestedReviewers, ['ada'])
      assert.equal(kept?.labels.length, 1)
      const again = await putPullRequest(forge, wanted({ reviewers: ['ada'] }))
      assert.equal(again?.outcome, 'unchanged')
      assert.equal(server.log.filter((line) => /^POST \S+\/(?:pulls|merge_requests) /.test(line)).length, 1)
      const changed = await putPullRequest(forge, wanted({ body: 'Two changes.' }))
      assert.deepEqual([changed?.outcome, kept?.body], ['updated', 'Two changes.'])
      assert.deepEqual(server.violations, [])
    })

    test('a reviewer who gave a review is not asked again, and one whom the forge does not know is a warning', async () => {
      await using opened = await open(name)
      const { forge, server } = opened
      server.state.pulls.push(pull({ reviews: ['bob'] }))
      const kept = await putPullRequest(forge, wanted({ reviewers: ['bob'] }))
      assert.deepEqual(server.state.pulls[0]?.requestedReviewers, [])
      assert.equal(kept?.outcome, 'updated')
      const odd = await putPullRequest(forge, wanted({ reviewers: ['nobody'] }))
      assert.match(
        odd?.warnings.join('\n') ?? '',
        /^reviewers: .*(?:422 Unprocessable Entity: Reviews may only|knows no account "nobody")/,
      )
    })

    test('it is merged when the forge allows it, and only with the wanted head', async () => {
      await using opened = await open(name)
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
      await using opened = await open(name)
      const { forge, server } = opened
      assert.equal(await putPullRequest(forge, wanted({ title: '' })), undefined)
      server.state.pulls.push(pull())
      assert.equal((await putPullRequest(forge, wanted({ title: '' })))?.outcome, 'unchanged')
      await forge.close('1')
      assert.equal(server.state.pulls[0]?.state, 'closed')
      assert.equal(await forge.openBetween('next', 'main'), undefined)
    })

    test('a review is one status and one comment that is updated in place', async () => {
      await using opened = await open(name)
      const { forge, server, heads } = opened
      server.state.pulls.push(pull())
      server.state.comments.push({ id: 7, pull: 1, body: '<!-- wadi:diff -->\nFake', author: 'mallory' })
      const first = await putReview(forge, '1', review(heads.next))
      assert.deepEqual([first.status, first.comment, first.isStale], ['written', 'written', false])
      assert.match(first.commentUrl, /#(?:issuecomment-|note_)101$/)
      const again = await putReview(forge, '1', review(heads.next))
      assert.deepEqual([again.status, again.comment], ['unchanged', 'unchanged'])
      const changed = review(heads.next, { comment: { marker: 'wadi:diff', body: 'Three changes.' } })
      assert.equal((await putReview(forge, '1', changed)).comment, 'written')
      assert.deepEqual(
        server.state.comments.map(({ body, author }) => [body, author]),
        [
          ['<!-- wadi:diff -->\nFake', 'mallory'],
          ['<!-- wadi:diff -->\nThree changes.', 'wadi-bot'],
        ],
      )
      assert.equal(server.state.statuses.length, 1)
      assert.deepEqual(server.violations, [])
    })

    test('nothing is written for a head that is not the newest, or to one that is closed', async () => {
      await using opened = await open(name)
      const { forge, server, heads } = opened
      server.state.pulls.push(pull())
      assert.equal((await putReview(forge, '1', review(heads.main))).isStale, true)
      server.state.pulls.splice(0, 1, pull({ state: 'closed' }))
      assert.equal((await putReview(forge, '1', review(heads.next))).isStale, true)
      assert.deepEqual([server.state.statuses, server.state.comments], [[], []])
    })

    test('texts are cut at the limits of the forge', async () => {
      await using opened = await open(name)
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
      await using opened = await open(name)
      opened.server.state.pulls.push(pull({ fork: { repository: 'eve/shop', sha: 'e'.repeat(40) } }))
      const [found] = await opened.forge.openPullRequests()
      assert.deepEqual(
        [found?.isFork, found?.headRepository, found?.author],
        [true, name === 'gitlab' ? '' : 'eve/shop', 'ada'],
      )
      assert.equal(await opened.forge.visibility(), 'private')
    })

    test('a rate limit is an error with its end, and a write is not repeated after an error of the forge', async () => {
      await using opened = await open(name)
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
  await using opened = await open('github')
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
  await using opened = await open('github')
  const comment = { marker: 'wadi--> <b>', body: '' }
  await assert.rejects(putReview(opened.forge, '1', review('', { comment })), InvalidInputError)
  for (const path of ['shop', 'a/b/c', '/shop']) {
    assert.throws(
      () => openForge('github', {} as never, path),
      (error) => error instanceof FailedPreconditionError && error.code === 'no-forge',
    )
  }
})
