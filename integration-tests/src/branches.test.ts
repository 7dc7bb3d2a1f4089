import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { startMeshFixture } from './mesh-fixture.ts'

test('a branch shows the commits of all its Applications, each with the dry commit that it came from', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const { branches, applications } = fixture.gateway
  const repository = await fixture.createRepository('pair', {
    'web/a.yaml': configMap('web', '1'),
    'api/a.yaml': configMap('api', '1'),
  })
  const common = { repoURL: repository.url, branch: 'environments/pair' }
  const first = await repository.dry.head()
  await fixture.applyAndWait(first, { ...common, name: 'web' }, { ...common, name: 'api' })
  await repository.push({ 'api/a.yaml': configMap('api', '2') }, 'Raise api')
  const second = await repository.dry.head()
  await fixture.hydrateTo(second, 'api')
  const { branches: listed, queueError } = await branches.listBranches({ text: 'pair' })
  assert.equal(queueError, '')
  assert.partialDeepStrictEqual(listed, [{ branch: 'environments/pair', applications: 2, phase: 'Hydrated' }])
  const answer = await branches.getBranch({ repoUrl: repository.url, branch: 'environments/pair' })
  const head = await repository.head('environments/pair')
  assert.deepEqual([answer.error, answer.headSha, answer.branch?.hydratedSha], ['', head, head])
  assert.deepEqual(
    answer.applications.map(({ name, drySha }) => [name, drySha]),
    [
      ['api', second],
      ['web', second],
    ],
  )
  assert.equal(answer.sources[0]?.notedDrySha, second)
  const [newest, ...older] = answer.commits
  assert.deepEqual([newest?.hydratedSha, newest?.drySha], [head, second])
  assert.match(newest?.subject ?? '', /Raise api/)
  assert.ok(older.length >= 1 && older.every(({ drySha }) => drySha === first))
  const { phases, total } = await applications.searchApplications({ filter: { text: 'pair' } })
  assert.deepEqual([phases, total], [{ Hydrated: 2 }, 2])
})
