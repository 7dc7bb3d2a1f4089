import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'

let mesh: MeshFixture
before(async () => {
  mesh = await startMeshFixture()
})
after(async () => {
  await mesh[Symbol.asyncDispose]()
})

test('applications that are created together become one hydrated commit', async () => {
  const { fixture } = mesh
  const files = { 'one/a.yaml': configMap('one', '1'), 'two/a.yaml': configMap('two', '1') }
  const repository = await fixture.createRepository('first', files)
  const drySha = await repository.dry.head()
  const { url: repoURL } = repository
  const branch = 'environments/first'
  await fixture.applyAndWait(drySha, { name: 'one', repoURL, branch }, { name: 'two', repoURL, branch })
  assert.equal((await repository.commits(branch)).length, 1)
  assert.equal(await repository.note(branch), `{"drySha":"${drySha}"}\n`)
})
