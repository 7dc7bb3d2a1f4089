import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

test('a writer who is faster every time ends the run with an error, and the next one lands when he stops', async () => {
  const { repository, branch } = await mesh.fixture.hydratedOnce('racing')
  const drySha = await repository.push({ 'racing/a.yaml': configMap('racing', '2') })
  let pushes = 0
  mesh.git.listen(async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/racing.git/git-receive-pack')) return undefined
    pushes++
    await repository.pushForeign(branch, { 'NEWS.md': `${pushes}\n` })
    return undefined
  })
  await mesh.fixture.gateway.applications.hydrateApplication({ name: 'racing' })
  const { currentOperation } = await mesh.fixture.waitFor(
    'racing',
    ({ status }) => status.currentOperation?.phase === 'Failed',
  )
  assert.match(currentOperation?.message ?? '', /moved 12 times while this commit was pushed/)
  mesh.git.listen(undefined)
  const foreign = await repository.head(branch)
  await mesh.fixture.waitFor('racing', isHydratedAt(drySha))
  assert.equal((await repository.commits(branch))[1], foreign)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})
