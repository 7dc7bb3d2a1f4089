import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError, FailedPreconditionError, RateLimitError } from '@wadi/errors/domain-error.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import { application, controlPlaneObject, startRunFixture } from '../run/run-fixture.ts'
import { hydrateTo, key, startPullRequest } from './pull-request-fixture.ts'
import { noPullRequest } from './put-pull-request.ts'
import { wantedPullRequest } from './wanted-pull-request.ts'

test('an open pull request is not asked for again until a head or a setting changes', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const { remote } = kept
  await kept.keep()
  await kept.keep()
  assert.deepEqual(remote.asked, ['put'])
  assert.deepEqual(
    [(await kept.record())?.state, (await kept.record())?.url],
    ['open', 'https://forge.example.com/7'],
  )
  remote.headSha = 'c'.repeat(40)
  await kept.keep()
  assert.deepEqual(remote.asked, ['put', 'put'])
  assert.notEqual(remote.put[1]?.title, '')
})

test('while it waits for the merge it is asked for each time, and its texts stay', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'merge' })
  const { remote } = kept
  await kept.keep()
  assert.equal((await kept.record())?.message, 'waiting: checks have not passed')
  await kept.keep()
  assert.deepEqual(
    remote.put.map(({ title, merge }) => [title === '', merge?.headSha]),
    [
      [false, remote.headSha],
      [true, remote.headSha],
    ],
  )
  remote.isOpen = false
  await kept.keep()
  assert.equal((await kept.record())?.state, 'closed')
  await kept.keep()
  assert.equal(remote.asked.length, 3)
})

test('when nothing is left, an open one is closed, and one that is gone was merged', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const { remote } = kept
  await kept.keep()
  Object.assign(remote, { isContained: true, isOpen: false, baseSha: 'd'.repeat(40) })
  await kept.keep()
  assert.equal((await kept.record())?.state, 'merged')
  Object.assign(remote, { isOpen: true, baseSha: 'e'.repeat(40) })
  await kept.keep()
  assert.equal((await kept.record())?.state, 'closed')
  await kept.keep()
  assert.deepEqual(remote.asked, ['put', 'close', 'close'])
})

test('one that another hydrator opened and somebody closed meanwhile is not opened again', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const { remote } = kept
  const work = async () => {
    await kept.keep()
    remote.isOpen = false
  }
  remote.meanwhile = { during: 'compare', work }
  await assert.rejects(kept.keep(), ConflictError)
  await kept.keep()
  assert.deepEqual([remote.asked, (await kept.record())?.isSettled], [['put'], true])
})

test('what another hydrator recorded is looked at again after an attempt that failed or opened one too late', async () => {
  for (const failure of [undefined, new FailedPreconditionError('no right')]) {
    await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
    const { remote } = kept
    const headSha = 'c'.repeat(40)
    const work = async () => {
      Object.assign(remote, { headSha, isContained: true })
      await kept.keep()
      remote.failure = failure
    }
    remote.meanwhile = { during: 'put', work }
    await kept.keep()
    await kept.keep()
    assert.deepEqual(remote.asked, ['close', 'put', 'close'])
    const record = await kept.record()
    assert.deepEqual([record?.headSha, record?.isSettled, remote.isOpen], [headSha, true, false])
  }
})

test('what a hydrator began before its end is begun again', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const begun = { ...noPullRequest, baseBranch: 'env/dev', attempt: 'of the former one' }
  await kept.fixture.context.records.changePullRequest(key, () => begun)
  await kept.keep()
  const record = await kept.record()
  assert.deepEqual([record?.state, record?.attempt], ['open', undefined])
})

test('a rate limit pauses until its end, which the record keeps over a restart', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const { remote } = kept
  const retryAt = Date.now() + 600_000
  remote.failure = new RateLimitError('asked too much', { retryAt })
  const pausedUntil = (await kept.keep()) ?? 0
  // The error tells for how long, and takes a moment.
  assert.ok(pausedUntil >= retryAt && pausedUntil < retryAt + 60_000, `${pausedUntil - retryAt}`)
  assert.equal((await kept.record())?.message, 'cannot be kept: asked too much')
  assert.equal(await kept.keep(), pausedUntil)
  assert.deepEqual(remote.asked, ['put'])
  const record = await kept.record()
  assert.ok(record)
  const past = { ...record, retryAt: new Date(0).toISOString() }
  await kept.fixture.context.records.changePullRequest(key, () => past)
  assert.equal(await kept.keep(), undefined)
  assert.deepEqual([(await kept.record())?.state, (await kept.record())?.retryAt], ['open', undefined])
})

test('what goes wrong is a message beside what is known, and is tried again', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const { remote } = kept
  await kept.keep()
  remote.headSha = 'c'.repeat(40)
  remote.failure = new FailedPreconditionError('no right')
  await kept.keep()
  const failed = await kept.record()
  assert.deepEqual(
    [failed?.state, failed?.number, failed?.message],
    ['open', '7', 'cannot be kept: no right'],
  )
  await kept.keep()
  assert.equal((await kept.record())?.message, '')
})

test('of a branch of another installation nothing is opened, merged or closed until it is taken over', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'merge' })
  const { remote, fixture } = kept
  remote.installation = 'other-installation'
  await kept.keep()
  Object.assign(remote, { isOpen: true, headSha: 'c'.repeat(40), isContained: true })
  await kept.keep()
  assert.deepEqual([remote.asked, await kept.record()], [[], undefined])
  remote.isContained = false
  const data = { 'sourceHydrator.otherInstallations': 'take' }
  await fixture.add(controlPlaneObject('ConfigMap', 'argocd-cm', { data }))
  await kept.keep()
  assert.deepEqual([remote.asked, (await kept.record())?.state], [['put'], 'open'])
  // Here the other one took it back.
  await fixture.store.delete('ConfigMap', 'argocd', 'argocd-cm')
  remote.headSha = 'd'.repeat(40)
  await kept.keep()
  assert.deepEqual([remote.asked, await kept.record()], [['put'], undefined])
})

test('a run that began before keeps what was recorded of the pull request, and without the setting it goes', async () => {
  await using kept = await startPullRequest({ 'wadi.dev/pull-requests': 'open' })
  const { fixture } = kept
  const { run } = await fixture.run({ branch: 'env/next' })
  await kept.keep()
  await fixture.context.records.write(run, { groups: [], applications: 1, rendered: 3, milliseconds: 1 })
  assert.equal((await kept.record())?.state, 'open')
  await fixture.store.delete('Application', 'argocd', 'web')
  await fixture.add(application('web', { hydrateTo }))
  await kept.keep()
  assert.equal(await kept.record(), undefined)
})

test('Applications of one branch share labels and reviewers, and Wadi merges only if all want it', async () => {
  await using fixture = await startRunFixture()
  const wants = (policy: string, labels: string, reviewers = '') => ({
    'wadi.dev/pull-requests': policy,
    'wadi.dev/pull-request-labels': labels,
    'wadi.dev/pull-request-reviewers': reviewers,
  })
  await fixture.add(
    controlPlaneObject('AppProject', 'team', {
      metadata: { name: 'team', namespace: 'argocd', annotations: wants('merge', 'team') },
    }),
    application('api', { hydrateTo, annotations: wants('merge', 'b,a', 'ada') }),
    application('web', { hydrateTo, project: 'team' }),
  )
  const settings = await readOperatorSettings(fixture.store, false)
  const wanted = async () => wantedPullRequest(fixture.store, key, fixture.members('env/next'), settings)
  const both = await wanted()
  assert.deepEqual(both?.setting, {
    policy: 'merge',
    method: 'merge',
    labels: ['a', 'b', 'team'],
    reviewers: ['ada'],
  })
  assert.deepEqual([both.branch, both.baseBranch, both.project], ['env/next', 'env/dev', ''])
  await fixture.add(application('old', { hydrateTo, annotations: wants('none', 'x') }))
  assert.deepEqual(
    [(await wanted())?.setting.policy, (await wanted())?.setting.labels],
    ['open', ['a', 'b', 'team']],
  )
})
