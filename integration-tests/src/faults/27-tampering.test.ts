import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'

let mesh: MeshFixture
before(async () => {
  mesh = await startMeshFixture({ environment: { WADI_POLL_INTERVAL: '1s' } })
})
after(async () => {
  await mesh[Symbol.asyncDispose]()
})

async function tampered(policy: string) {
  const { fixture } = mesh
  const name = `tampered-${policy}`
  await fixture.applyOperatorSettings({ 'sourceHydrator.foreignChanges': policy })
  const repository = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
  const branch = `environments/${name}`
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, { name, repoURL: repository.url, branch })
  const own = await repository.read(branch, `${name}/manifest.yaml`)
  const foreign = await repository.pushForeign(branch, { [`${name}/manifest.yaml`]: 'kind: Evil\n' })
  return { name, repository, branch, drySha, own, foreign }
}

test('an edit by hand raises an alarm and stays until the next hydration', async () => {
  const { name, repository, branch, own, foreign } = await tampered('report')
  const { foreignChange } = await mesh.fixture.waitFor(
    name,
    ({ status }) => status.foreignChange !== undefined,
  )
  assert.deepEqual([foreignChange?.kind, foreignChange?.commit], ['edited', foreign])
  assert.equal(await repository.head(branch), foreign)
  await mesh.fixture.hydrate(name)
  assert.equal(await repository.read(branch, `${name}/manifest.yaml`), own)
})

test('an edit by hand is reverted if the operator sets it so', async () => {
  const { name, repository, branch, own, foreign } = await tampered('restore')
  await repository.waitForHead(branch, (head) => head !== foreign)
  assert.equal(await repository.read(branch, `${name}/manifest.yaml`), own)
  assert.equal((await repository.commits(branch))[1], foreign)
})

test('an edit by hand stops the branch if the operator sets it so', async () => {
  const { name, repository, branch, own, drySha, foreign } = await tampered('block')
  assert.match(await mesh.fixture.waitForFailure(name), /nothing is hydrated onto it/)
  assert.equal(await repository.head(branch), foreign)
  await mesh.fixture.hydrate(name, { hard: true })
  await mesh.fixture.waitFor(name, isHydratedAt(drySha))
  assert.equal(await repository.read(branch, `${name}/manifest.yaml`), own)
})
