import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from './application-fixture.ts'
import { HydrationFixture, makeDataDirectory, makeTestDirectory } from './hydration-fixture.ts'
import { gitUser, type MeshFixture, quietEnvironment, startMeshFixture } from './mesh-fixture.ts'
import { addForgeCredentials, connectForge } from './pull-request-fixture.ts'

const owned = new AsyncDisposableStack()
let east: MeshFixture
let west: HydrationFixture
before(async () => {
  // Looks at pull requests are a second apart.
  const environment = { ...quietEnvironment, WADI_POLL_INTERVAL: '1s' }
  east = owned.use(await startMeshFixture({ environment }))
  const directory = await makeTestDirectory(owned)
  const mesh = owned.use(
    await startMesh({
      dataDirectory: await makeDataDirectory(directory),
      listen: '127.0.0.1:0',
      environment,
    }),
  )
  const { address, adminToken: token } = mesh
  west = owned.use(new HydrationFixture({ address, token, directory, git: east.git.server }))
  await west.addCredentials({ repoUrl: east.git.server.url, isPrefix: true, ...gitUser })
})
after(() => owned.disposeAsync())

test('of two installations with one branch the second leaves it alone, says so, and takes it over by a hard hydration', async () => {
  const { repository, branch } = await east.fixture.hydratedOnce('shared')
  const head = await repository.head(branch)
  const note = await repository.wholeNote(branch)
  const application = { name: 'shared', repoURL: repository.url, branch }
  const message = await west.applyAndFail(application)
  assert.match(message, /branch environments\/shared is hydrated by another installation of Wadi/)
  const { installation } = JSON.parse(note) as { installation: string }
  assert.ok(message.includes(installation))
  assert.deepEqual([await repository.head(branch), await repository.wholeNote(branch)], [head, note])

  const next = await repository.push({ 'shared/a.yaml': configMap('shared', '2') })
  await east.fixture.hydrateTo(next, 'shared')
  assert.equal((await repository.commits(branch)).length, 2)

  await west.gateway.applications.hydrateApplication({ name: 'shared', hard: true })
  await west.waitFor('shared', ({ status }) => status.currentOperation?.phase === 'Hydrated')
  const taken = JSON.parse(await repository.wholeNote(branch)) as { drySha: string; installation: string }
  assert.equal(taken.drySha, next)
  assert.notEqual(taken.installation, installation)
  assert.equal((await repository.commits(branch)).length, 2)

  await repository.push({ 'shared/a.yaml': configMap('shared', '3') })
  await east.fixture.gateway.applications.hydrateApplication({ name: 'shared' })
  assert.match(await east.fixture.waitForFailure('shared'), /hydrated by another installation/)
  assert.equal((await repository.commits(branch)).length, 2)
})

test('the pull request of a branch is kept by the installation that hydrates it alone', async () => {
  const { fixture } = east
  const files = { 'a/a.yaml': configMap('a', '1'), 'b/a.yaml': configMap('b', '1') }
  const repository = await fixture.createRepository('acme/staged', files)
  await using forged = await connectForge(east, repository)
  const { state, log, violations } = forged.forge
  await addForgeCredentials(west, repository, forged.forge)
  state.blockedBy = 'unstable'
  const application = (name: string, policy: string) => ({
    name,
    repoURL: repository.url,
    branch: `env/${name}`,
    hydrateTo: `env/${name}-next`,
    annotations: { 'wadi.dev/pull-requests': policy, 'wadi.dev/pull-request-labels': policy },
  })
  await fixture.apply(application('a', 'open'))
  await fixture.waitFor('a', ({ status }) => status.pullRequest?.state === 'open')
  const [shared] = state.pulls
  const opened = structuredClone(shared)

  // West asks for its own one at each poll, since it waits for checks: these count the polls of both.
  const own = application('b', 'merge')
  await west.apply(own)
  await west.waitFor(
    'b',
    ({ status }) => status.pullRequest?.message === 'open, waiting: checks have not passed',
  )
  assert.match(await west.applyAndFail(application('a', 'merge')), /hydrated by another installation/)
  const asked = log.length
  await until(() => log.length > asked + 12)
  assert.deepEqual([state.pulls.length, state.pulls[0]], [2, opened])
  assert.deepEqual(
    log.slice(asked).filter((line) => /a-next|pulls\/1\b|issues\/1\b/.test(line)),
    [],
  )

  await west.gateway.applications.hydrateApplication({ name: 'a', hard: true })
  await until(() => shared?.labels.includes('merge') === true)
  state.blockedBy = undefined
  await until(() => shared?.isMerged === true)
  await fixture.gateway.applications.hydrateApplication({ name: 'a' })
  assert.match(await fixture.waitForFailure('a'), /hydrated by another installation/)
  assert.deepEqual(violations, [])
})
