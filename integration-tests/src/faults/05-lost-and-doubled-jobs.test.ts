import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile({ environment: { WADI_POLL_INTERVAL: '1s' } })

test('a hundred requests for one branch make one commit, whatever their order', async () => {
  const { repository, branch } = await mesh.fixture.hydratedOnce('doubled')
  const drySha = await repository.push({ 'doubled/a.yaml': configMap('doubled', '2') })
  const ask = () => mesh.fixture.gateway.applications.hydrateApplication({ name: 'doubled' })
  await Promise.all(Array.from({ length: 100 }, ask))
  await mesh.fixture.waitFor('doubled', isHydratedAt(drySha))
  await mesh.fixture.hydrate('doubled')
  assert.equal((await repository.commits(branch)).length, 2)
})

test('a dry commit without a notification is found by the next poll', async () => {
  const { repository, branch } = await mesh.fixture.hydratedOnce('untold')
  const drySha = await repository.push({ 'untold/a.yaml': configMap('untold', '2') })
  await mesh.fixture.waitFor('untold', isHydratedAt(drySha))
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})
