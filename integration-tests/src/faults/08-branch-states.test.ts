import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile({ environment: { WADI_POLL_INTERVAL: '1s' } })

async function hydratedTwice(name: string) {
  const { fixture } = mesh
  const repository = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
  const branch = `environments/${name}`
  await fixture.applyAndWait(await repository.dry.head(), { name, repoURL: repository.url, branch })
  const first = await repository.head(branch)
  const drySha = await repository.push({ [`${name}/a.yaml`]: configMap(name, '2') })
  await fixture.waitFor(name, isHydratedAt(drySha))
  return { repository, branch, first }
}

for (const [what, kind, place] of [
  ['deleted', 'deleted', () => undefined],
  ['forced back', 'rewound', ({ first }: { first: string }) => first],
] as const) {
  test(`a hydrated branch that was ${what} is reported and whole again with the next dry commit`, async () => {
    const name = `branch-${kind}`
    const scene = await hydratedTwice(name)
    const { repository, branch } = scene
    await repository.pointBranch(branch, place(scene))
    await mesh.fixture.waitFor(name, ({ status }) => status.foreignChange?.kind === kind)
    const drySha = await repository.push({ [`${name}/a.yaml`]: configMap(name, '3') })
    const status = await mesh.fixture.waitFor(name, isHydratedAt(drySha))
    assert.equal(status.foreignChange, undefined)
    assert.match(await repository.read(branch, `${name}/manifest.yaml`), /value: "3"/)
    assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
  })
}

test('a branch of other commits without a common ancestor is reported and built upon, never forced', async () => {
  const { repository, branch } = await hydratedTwice('orphan')
  const foreign = await repository.pushForeign('elsewhere', { 'orphan/manifest.yaml': 'kind: Evil\n' })
  await repository.pointBranch(branch, foreign)
  await mesh.fixture.waitFor('orphan', ({ status }) => status.foreignChange?.kind === 'rewritten')
  const drySha = await repository.push({ 'orphan/a.yaml': configMap('orphan', '3') })
  await mesh.fixture.waitFor('orphan', isHydratedAt(drySha))
  assert.equal((await repository.commits(branch))[1], foreign)
})

test('a repository that moved to another host is not followed there', async () => {
  const { repository } = await hydratedTwice('moved')
  mesh.git.listen(({ path }) => {
    const location = `${mesh.git.server.url.replace('127.0.0.1', 'localhost')}${path}`
    return path.startsWith('/moved.git') ? { status: 301, headers: { location } } : undefined
  })
  assert.match(
    await mesh.fixture.waitForFailure('moved'),
    /repository moved: .* redirect to localhost:\d+, which is not followed/,
  )
  mesh.git.listen(undefined)
  const drySha = await repository.push({ 'moved/a.yaml': configMap('moved', '3') })
  await mesh.fixture.waitFor('moved', isHydratedAt(drySha))
})
