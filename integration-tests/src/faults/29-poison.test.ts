import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt, isSettled } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile({ environment: { WADI_POLL_INTERVAL: '500ms' } })

test('a branch that always fails is parked with its reason, others continue, and a request tries it again', async () => {
  const { fixture } = mesh
  const files = { 'poison/a.yaml': 'apiVersion: v1\n', 'well/a.yaml': configMap('well', '1') }
  const repository = await fixture.createRepository('poison', files)
  const first = await repository.dry.head()
  const place = { repoURL: repository.url }
  await fixture.apply({ ...place, name: 'poison', branch: 'environments/poison' })
  assert.match(await fixture.waitForFailure('poison'), /poison\/a\.yaml/)
  await fixture.applyAndWait(first, { ...place, name: 'well', branch: 'environments/well' })
  const startedAt = async () => (await fixture.waitFor('poison', isSettled)).currentOperation?.startedAt
  const parked = await startedAt()
  // Each of these needs a poll, which looks at the poisoned branch too.
  for (const value of ['2', '3', '4']) {
    const other = await fixture.createRepository(`others-${value}`, {
      'other/a.yaml': configMap('other', value),
    })
    const name = `other-${value}`
    const source = { path: 'other', repoURL: other.url, branch: 'environments/other' }
    await fixture.applyAndWait(await other.dry.head(), { name, ...source })
    const next = await other.push({ 'other/a.yaml': configMap('other', `${value}+`) })
    await fixture.waitFor(name, isHydratedAt(next))
  }
  assert.equal(await startedAt(), parked)
  const { currentOperation } = await fixture.hydrate('poison')
  assert.equal(currentOperation?.phase, 'Failed')
  assert.notEqual(currentOperation?.startedAt, parked)
  const fixed = await repository.push({ 'poison/a.yaml': configMap('poison', '1') })
  await fixture.waitFor('poison', isHydratedAt(fixed))
})
