import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { configMap } from './application-fixture.ts'
import { HydrationFixture, makeDataFolder, makeTestFolder } from './hydration-fixture.ts'
import { gitUser, type MeshFixture, quietEnvironment, startMeshFixture } from './mesh-fixture.ts'

const owned = new AsyncDisposableStack()
let east: MeshFixture
let west: HydrationFixture
before(async () => {
  east = owned.use(await startMeshFixture())
  const directory = await makeTestFolder(owned)
  const mesh = owned.use(
    await startMesh({
      dataDirectory: await makeDataFolder(directory),
      listen: '127.0.0.1:0',
      environment: quietEnvironment,
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
