import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceKey } from '@wadi/resources/resource.ts'
import { until } from '@wadi/testing/until.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from './summaries-fixture.ts'

test('a summary follows the record of its branch, and stays the same object while that says the same', async () => {
  await using fixture = await openGatewayFixture()
  const { summaries } = fixture.context
  const web = hydratedApplication('web', 'shop')
  const key = resourceKey(web)
  const summaryNow = () => summaries.get(key)?.summary
  await storeAll(fixture.context, [web, recordWith(web)], ({ phase }) => phase === 'Hydrated')
  const before = summaryNow()
  assert.ok(before)
  const told: string[] = []
  using _ = summaries.subscribe((changed) => told.push(changed))
  const other = hydratedApplication('other', 'shop', 'environments/dev')
  await storeAll(fixture.context, [recordWith(web, { message: 'nothing that a summary of a success shows' })])
  await until(() => told.includes(key))
  assert.equal(summaryNow(), before)
  await storeAll(fixture.context, [recordWith(web, { phase: 'Failed', message: 'no chart' })])
  await until(() => summaryNow()?.phase === 'Failed')
  assert.equal(before.phase, 'Hydrated')
  await storeAll(fixture.context, [other, recordWith(other)])
  await until(() => summaries.get(resourceKey(other))?.summary.phase === 'Hydrated')
  assert.equal(summaryNow()?.phase, 'Failed')
})

test('the list keeps its order and its Applications when a record changes, and shows what it says', async () => {
  await using fixture = await openGatewayFixture()
  const { summaries } = fixture.context
  const [web, api] = [hydratedApplication('web', 'shop'), hydratedApplication('api', 'shop')]
  await storeAll(fixture.context, [web, api, recordWith(web)], ({ phase }) => phase === 'Hydrated')
  const before = summaries.sorted
  assert.deepEqual(
    before.map(({ source }) => source.spec.name),
    ['api', 'web'],
  )
  await storeAll(fixture.context, [recordWith(web, { phase: 'Hydrating' })])
  await until(() => before.every(({ summary }) => summary.phase === 'Hydrating'))
  assert.equal(summaries.sorted, before)
})
