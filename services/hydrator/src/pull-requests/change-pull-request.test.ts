import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { application } from '../run/run-fixture.ts'
import { changePullRequest } from './change-pull-request.ts'
import { hydrateTo, type Kept, key, startPullRequest } from './pull-request-fixture.ts'

const { signal } = new AbortController()

/** Asks for a change by somebody who saw the branches as they are, but for `seen`. */
async function change({ fixture, remote }: Kept, name: string, seen: Record<string, string> = {}) {
  const { headSha, baseSha } = remote
  const number = name === 'open' ? '' : '7'
  const places = { key, repoUrl: '', branch: 'env/next', baseBranch: 'env/dev' }
  return changePullRequest(
    fixture.context,
    { ...places, change: name, headSha, baseSha, number, ...seen },
    signal,
  )
}

test('a pull request that no setting wants is opened, closed, opened again and merged', async () => {
  await using kept = await startPullRequest()
  const { remote } = kept
  assert.equal((await change(kept, 'open')).state, 'open')
  assert.match(remote.put[0]?.title ?? '', /^Promote env\/next to env\/dev/)
  // It is kept until something else happens to it.
  remote.headSha = 'c'.repeat(40)
  await kept.keep()
  assert.deepEqual([(await kept.record())?.state, (await kept.record())?.headSha], ['open', remote.headSha])
  assert.equal((await change(kept, 'close')).state, 'closed')
  await kept.keep()
  assert.equal((await kept.record())?.state, 'closed')
  assert.equal((await change(kept, 'reopen')).state, 'open')
  await assert.rejects(change(kept, 'merge'), {
    name: 'FailedPreconditionError',
    message: 'pull request 7 is not merged: waiting: checks have not passed',
  })
  assert.equal((await kept.record())?.state, 'open')
  remote.waitingFor = ''
  assert.equal((await change(kept, 'merge')).state, 'merged')
  assert.deepEqual(remote.put.at(-1)?.merge?.headSha, remote.headSha)
  // The next change is one for somebody else to ask for.
  const asked = remote.asked.length
  Object.assign(remote, { headSha: 'd'.repeat(40), baseSha: 'c'.repeat(40), isMerged: false })
  await kept.keep()
  assert.deepEqual([await kept.record(), remote.asked.length], [undefined, asked])
})

test('after one that people closed or merged at the forge, no other is opened that nobody asked for', async () => {
  for (const isMerged of [false, true]) {
    await using kept = await startPullRequest()
    const { remote } = kept
    await change(kept, 'open')
    Object.assign(remote, { isOpen: false, isMerged })
    await kept.keep()
    assert.deepEqual(remote.asked, ['put'])
    remote.headSha = 'c'.repeat(40)
    await kept.keep()
    assert.deepEqual([await kept.record(), remote.asked], [undefined, ['put', 'list']])
  }
})

test('one that somebody asked for is not opened to another branch', async () => {
  await using kept = await startPullRequest()
  const { remote, fixture } = kept
  await change(kept, 'open')
  await fixture.store.delete('Application', 'argocd', 'web')
  await fixture.add(application('web', { hydrateTo, syncSource: { targetBranch: 'env/qa' } }))
  await kept.keep()
  assert.deepEqual([await kept.record(), remote.asked], [undefined, ['put']])
})

test('a closed one that nobody opens again is forgotten with the next change, and one that a setting wants is not', async () => {
  for (const [policy, state] of [
    ['none', undefined],
    ['open', 'open'],
  ] as const) {
    await using kept = await startPullRequest({ 'wadi.dev/pull-requests': policy })
    if (policy === 'none') await change(kept, 'open')
    else await kept.keep()
    await change(kept, 'close')
    kept.remote.headSha = 'c'.repeat(40)
    await kept.keep()
    assert.equal((await kept.record())?.state, state)
  }
})

test('nothing is written when a branch or the pull request is not as its author saw it', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const { remote } = kept
  const refuse = async (name: string, seen: Record<string, string>, message: RegExp) => {
    await assert.rejects(change(kept, name, seen), { name: 'ConflictError', message })
  }
  await refuse('merge', {}, /^env\/next has no pull request to env\/dev: nothing is written/)
  await kept.keep()
  const asked = remote.asked.length
  await refuse('merge', { headSha: 'c'.repeat(40) }, /^branch env\/next is at aaaaaaa, not at ccccccc/)
  await refuse('merge', { baseSha: 'c'.repeat(40) }, /^branch env\/dev is at bbbbbbb, not at ccccccc/)
  await refuse('merge', { number: '8' }, /^the pull request of env\/next is 7, open/)
  await refuse('open', {}, /^the pull request of env\/next is 7, open/)
  assert.equal(remote.asked.length, asked)
  // Somebody closed it at the forge, and everybody sees that now.
  remote.isOpen = false
  await refuse('merge', {}, /^pull request 7 is closed/)
  assert.equal((await kept.record())?.state, 'closed')
  await change(kept, 'reopen')
  remote.isMerged = true
  await refuse('close', {}, /^pull request 7 is merged/)
  assert.equal((await kept.record())?.state, 'merged')
  assert.deepEqual(
    remote.put.map(({ merge }) => merge),
    [undefined, undefined],
  )
})

test('a forge that keeps closed ones closed gets another one', async () => {
  await using kept = await startPullRequest()
  const { remote } = kept
  remote.keepsClosed = true
  await change(kept, 'open')
  await change(kept, 'close')
  assert.equal((await change(kept, 'reopen')).state, 'open')
  assert.deepEqual(remote.asked.slice(-3), ['list', 'reopen', 'put'])
  assert.notEqual(remote.put.at(-1)?.title, '')
})

test('a merge or a close that somebody at the forge was faster with says how the pull request is', async () => {
  for (const [name, meanwhile, message] of [
    ['merge', {}, /^pull request 7 is not merged: it is closed$/],
    ['close', { isMerged: true }, /^pull request 7 is merged: nothing is written/],
  ] as const) {
    await using kept = await startPullRequest()
    const { remote, fixture } = kept
    await change(kept, 'open')
    const { forges } = fixture.context
    const listPullRequests: typeof forges.listPullRequests = async (...asked) => {
      const answer = await forges.listPullRequests(...asked)
      Object.assign(remote, { isOpen: false, ...meanwhile })
      return answer
    }
    const context = { ...fixture.context, forges: { ...forges, listPullRequests } }
    await assert.rejects(change({ ...kept, fixture: { ...fixture, context } }, name), { message })
    assert.equal((await kept.record())?.state, name === 'merge' ? 'closed' : 'merged')
  }
})

test('the pull request to another branch is none of this one', async () => {
  await using kept = await startPullRequest()
  const { fixture, remote } = kept
  await change(kept, 'open')
  await fixture.store.delete('Application', 'argocd', 'web')
  await fixture.add(application('web', { hydrateTo, syncSource: { targetBranch: 'env/qa' } }))
  await assert.rejects(change(kept, 'close', { baseBranch: 'env/qa' }), {
    message: /^env\/next has no pull request to env\/qa/,
  })
  assert.deepEqual(remote.asked, ['put'])
  assert.equal((await change(kept, 'open', { baseBranch: 'env/qa' })).state, 'open')
})

test('nothing is opened again when nothing is left to promote', async () => {
  await using kept = await startPullRequest()
  const { remote } = kept
  await change(kept, 'open')
  await change(kept, 'close')
  const asked = remote.asked.length
  remote.isContained = true
  await assert.rejects(change(kept, 'reopen'), { message: /nothing is left to promote$/ })
  assert.deepEqual(remote.asked.slice(asked), [])
})

test('what cannot be promoted says why', async () => {
  await using kept = await startPullRequest()
  const { remote, fixture } = kept
  await assert.rejects(change(kept, 'approve'), InvalidInputError)
  const refuse = (name: string, seen: Record<string, string>, message: RegExp) =>
    assert.rejects(change(kept, name, seen), { name: 'FailedPreconditionError', message })
  await refuse('open', { baseBranch: 'env/qa' }, /^no Application that is hydrated to env\/next is deployed/)
  remote.installation = 'other-installation'
  await refuse('open', {}, /hydrated by another installation of Wadi, other-installation/)
  Object.assign(remote, { installation: '', isContained: true })
  await refuse('open', {}, /^env\/dev has all of env\/next: nothing is left to promote/)
  await fixture.store.delete('Application', 'argocd', 'web')
  await fixture.reload()
  await refuse('open', {}, /^no Application/)
  assert.deepEqual(remote.asked, [])
})
