import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import type { StandInForge } from '@wadi/forges/pull-requests/stand-in-server-fixture.ts'
import type { SourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { connectForge } from './pull-request-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

// Looks are a second apart, so that what happens at the forge alone is found.
const mesh = await meshOfFile({ environment: { WADI_POLL_INTERVAL: '1s' } })

interface Staged extends AsyncDisposable {
  repository: RepositoryFixture
  forge: StandInForge
  name: string
}

/** A repository at a forge, with write credentials that name the forge, and one Application with a staging branch. */
async function stage(name: string, annotations: Record<string, string>): Promise<Staged> {
  const { fixture } = mesh
  const repository = await fixture.createRepository(`acme/${name}`, {
    [`${name}/a.yaml`]: configMap(name, '1'),
  })
  const { forge } = await connectForge(mesh, repository)
  await fixture.apply({
    name,
    repoURL: repository.url,
    branch: `env/${name}`,
    hydrateTo: `env/${name}-next`,
    annotations,
  })
  await fixture.waitFor(name, isHydratedAt(await repository.dry.head()))
  return { repository, forge, name, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() }
}

async function waitForPull(
  name: string,
  isWanted: (pullRequest: NonNullable<SourceHydratorStatus['pullRequest']>) => boolean,
): Promise<void> {
  await mesh.fixture.waitFor(
    name,
    ({ status: { pullRequest } }) => pullRequest !== undefined && isWanted(pullRequest),
  )
}

test('a pull request to the branch that is deployed from is opened, kept, shown and closed', async () => {
  await using staged = await stage('shop', {
    'wadi.dev/pull-requests': 'open',
    'wadi.dev/pull-request-labels': 'deploy, wadi',
    'wadi.dev/pull-request-reviewers': 'ada',
  })
  const { forge, repository } = staged
  await waitForPull('shop', ({ state }) => state === 'open')
  const [pull] = forge.state.pulls
  assert.ok(pull)
  assert.deepEqual([pull.head, pull.base], ['env/shop-next', 'env/shop'])
  assert.deepEqual([pull.labels, pull.requestedReviewers], [['deploy', 'wadi'], ['ada']])
  assert.equal(pull.title, 'Promote env/shop-next to env/shop: 1 added')
  assert.match(pull.body, /created ConfigMap shop/)
  const { stdout, stderr, code } = await runWadi(['app', 'get', 'shop'], {
    environment: { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token },
  })
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /Pull Request: +http:\/\/127\.0\.0\.1:\d+\/\S+\/pull\/1, open/)

  const drySha = await repository.push({
    'shop/a.yaml': configMap('shop', '2'),
    'shop/b.yaml': configMap('more', '1'),
  })
  await mesh.fixture.waitFor('shop', isHydratedAt(drySha))
  await until(() => /created ConfigMap more/.test(pull.body))
  assert.equal(forge.state.pulls.length, 1)

  await repository.fastForward('env/shop', 'env/shop-next')
  await waitForPull('shop', ({ state }) => state === 'closed')
  assert.equal(pull.state, 'closed')
  assert.deepEqual(forge.violations, [])
})

test('it is merged by itself when the checks have passed, and what comes later gets another one', async () => {
  await using staged = await stage('auto', { 'wadi.dev/pull-requests': 'none' })
  const { forge, repository } = staged
  forge.state.blockedBy = 'unstable'
  await mesh.fixture.apply({
    name: 'auto',
    repoURL: repository.url,
    branch: 'env/auto',
    hydrateTo: 'env/auto-next',
    annotations: { 'wadi.dev/pull-requests': 'merge' },
  })
  await waitForPull('auto', ({ message }) => message === 'open, waiting: checks have not passed')
  const [pull] = forge.state.pulls
  const { body } = pull ?? {}
  forge.state.blockedBy = undefined
  await waitForPull('auto', ({ state }) => state === 'merged')
  assert.deepEqual([pull?.isMerged, pull?.body], [true, body])
  assert.match(await repository.read('env/auto', 'auto/manifest.yaml'), /name: auto/)
  const drySha = await repository.push({ 'auto/a.yaml': configMap('auto', '2') })
  await mesh.fixture.waitFor('auto', isHydratedAt(drySha))
  await waitForPull('auto', ({ number, state }) => number === '2' && state === 'merged')
  assert.match(await repository.read('env/auto', 'auto/manifest.yaml'), /value: "2"/)
  assert.deepEqual(forge.violations, [])
})

test('a fast-forward brings the commits themselves, unless the branch has others', async () => {
  await using staged = await stage('forward', {
    'wadi.dev/pull-requests': 'merge',
    'wadi.dev/pull-request-merge-method': 'fast-forward',
  })
  const { forge, repository } = staged
  await waitForPull('forward', ({ state }) => state === 'merged')
  assert.equal(await repository.head('env/forward'), await repository.head('env/forward-next'))
  await until(() => forge.state.pulls[0]?.state === 'closed')
  await waitForPull('forward', ({ number, state }) => number === '1' && state === 'merged')
  const foreign = await repository.pushForeign('env/forward', { 'README.txt': 'ours\n' })
  const drySha = await repository.push({ 'forward/a.yaml': configMap('forward', '2') })
  await mesh.fixture.waitFor('forward', isHydratedAt(drySha))
  await waitForPull(
    'forward',
    ({ state, message }) =>
      state === 'open' &&
      /waiting: branch env\/forward has commits that env\/forward-next lacks/.test(message),
  )
  assert.equal(await repository.head('env/forward'), foreign)
  assert.deepEqual(forge.violations, [])
})

test('a rate limit pauses the pull request alone, and one that a person closed stays closed', async () => {
  await using staged = await stage('limited', { 'wadi.dev/pull-requests': 'none' })
  const { forge, repository } = staged
  const annotations = { 'wadi.dev/pull-requests': 'open' }
  // Counted from the answer, so that a slow machine sees the pause too.
  forge.rejections.push({ status: 403, headers: { 'retry-after': '15' } })
  await mesh.fixture.apply({
    name: 'limited',
    repoURL: repository.url,
    branch: 'env/limited',
    hydrateTo: 'env/limited-next',
    annotations,
  })
  await waitForPull('limited', ({ message }) =>
    /cannot be kept: .*the rate limit is used up until/.test(message),
  )
  const drySha = await repository.push({ 'limited/a.yaml': configMap('limited', '2') })
  await mesh.fixture.waitFor('limited', isHydratedAt(drySha))
  await waitForPull('limited', ({ state, message }) => state === 'open' && message === 'open')
  const [pull] = forge.state.pulls
  assert.ok(pull)
  pull.state = 'closed'
  const asked = forge.log.length
  const other = await repository.head('env/limited-next')
  await mesh.fixture.hydrate('limited')
  assert.equal(await repository.head('env/limited-next'), other)
  assert.deepEqual([forge.state.pulls.length, forge.log.length], [1, asked])
})

test('a forge that cannot be asked is a message, and no failure of the branch', async () => {
  await using staged = await stage('refused', { 'wadi.dev/pull-requests': 'open' })
  const { forge, repository, name } = staged
  await waitForPull(name, ({ state }) => state === 'open')
  forge.state.account = 'wadi-bot'
  await forge[Symbol.asyncDispose]()
  const drySha = await repository.push({ 'refused/a.yaml': configMap('refused', '2') })
  await mesh.fixture.waitFor(name, isHydratedAt(drySha))
  await waitForPull(name, ({ message }) => /^open, cannot be kept: github: .*ECONNREFUSED/.test(message))
})

test('one is opened, closed, opened again and merged by hand, where no setting wants it', async () => {
  await using staged = await stage('hand', {})
  const { forge, repository } = staged
  const env = async (...args: string[]) => {
    const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token }
    const { stdout, stderr, code } = await runWadi(['env', ...args], { environment })
    return code === 0 ? stdout : stderr
  }
  assert.match(await env('list', repository.url), /\nenv\/hand +env\/hand-next +Waiting .* for a promotion\n/)
  assert.match(await env('promote', 'env/hand'), /^pull request 1 is open: http:\S+\/pull\/1\n$/)
  const [pull] = forge.state.pulls
  assert.ok(pull)
  assert.equal(pull.title, 'Promote env/hand-next to env/hand: 1 added')
  // The text follows the next dry commit.
  const drySha = await repository.push({
    'hand/a.yaml': configMap('hand', '1'),
    'hand/b.yaml': configMap('more', '1'),
  })
  await mesh.fixture.waitFor('hand', isHydratedAt(drySha))
  await until(() => /created ConfigMap more/.test(pull.body))
  await waitForPull('hand', ({ state }) => state === 'open')
  assert.match(
    await env('merge', 'env/hand', '--head', '1234567'),
    /env\/hand-next is at [0-9a-f]{40}, not at 1234567/,
  )
  assert.match(await env('close', 'env/hand'), /^pull request 1 is closed/)
  assert.match(
    await env('merge', 'env/hand'),
    /the pull request of env\/hand-next is 1, closed|pull request 1 is closed/,
  )
  assert.match(await env('reopen', 'env/hand'), /^pull request 1 is open/)
  forge.state.blockedBy = 'unstable'
  assert.match(
    await env('merge', 'env/hand'),
    /pull request 1 is not merged: waiting: checks have not passed/,
  )
  forge.state.blockedBy = undefined
  assert.match(await env('merge', 'env/hand'), /^pull request 1 is merged/)
  assert.match(await repository.read('env/hand', 'hand/manifest.yaml'), /name: more/)
  assert.deepEqual([pull.isMerged, forge.state.pulls.length], [true, 1])
  assert.deepEqual(forge.violations, [])
})
