import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  commitRequest,
  directory,
  drySha,
  HydratedRepositoryFixture,
} from '../commit/hydrated-repository-fixture.ts'
import { type CommitOutcome, writeCommit } from '../commit/write-commit.ts'
import { BranchStates } from './branch-states.ts'

test('branches of one repository that are written at once take turns, and each first push lands', async () => {
  let pushes = 0
  await using fixture = await HydratedRepositoryFixture.start({
    onRequest: async ({ method, service }) => {
      if (method === 'POST' && service === 'git-receive-pack') pushes++
    },
  })
  const { mirror, trees, signal } = fixture
  const states = new BranchStates()
  const write = (branch: string): Promise<CommitOutcome> =>
    states.exclusive(mirror, async () => {
      const request = commitRequest({ dry: 1, branch, directories: [directory('a', branch)] })
      const outcome = await writeCommit(mirror, trees, request, states.known(mirror, branch, ''), signal)
      states.written(mirror, branch, '', outcome.state)
      return outcome
    })
  const branches = ['env/a', 'env/b', 'env/c', 'env/d']
  await Promise.all(branches.map(write))
  assert.equal(pushes, branches.length)
  for (const branch of branches) {
    assert.equal((await fixture.state(branch)).drySha, drySha(1))
    assert.deepEqual(states.known(mirror, branch, ''), await fixture.state(branch))
  }
})

test('a task that fails does not keep the next one of its repository from running', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const states = new BranchStates()
  const failed = states.exclusive(fixture.mirror, async () => {
    throw new Error('the first task failed')
  })
  const next = states.exclusive(fixture.mirror, async () => 'ran')
  await assert.rejects(failed, { message: 'the first task failed' })
  assert.equal(await next, 'ran')
})

test('a state is known for its repository, branch and sync branch alone', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const states = new BranchStates()
  const { mirror } = fixture
  const state = await fixture.state()
  states.observed(mirror, 'env/dev', '', state, performance.now())
  assert.deepEqual(states.known(mirror, 'env/dev', ''), state)
  assert.equal(states.known(mirror, 'env/dev', 'env/base'), undefined)
  assert.equal(states.known(mirror, 'env/prod', ''), undefined)
  assert.equal(states.known(await fixture.secondMirror(), 'env/dev', ''), undefined)
})

test('an answer of the remote that is older than a push does not bring its notes back', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const states = new BranchStates()
  const { mirror } = fixture
  const askedAt = performance.now()
  const state = await fixture.state()
  states.written(mirror, 'env/dev', '', { ...state, notes: drySha(7) })
  states.observed(mirror, 'env/prod', '', { ...state, notes: undefined }, askedAt)
  for (const branch of ['env/dev', 'env/prod'])
    assert.equal(states.known(mirror, branch, '')?.notes, drySha(7))
  states.observed(mirror, 'env/prod', '', { ...state, notes: drySha(8) }, performance.now() + 1)
  assert.equal(states.known(mirror, 'env/dev', '')?.notes, drySha(8))
})
