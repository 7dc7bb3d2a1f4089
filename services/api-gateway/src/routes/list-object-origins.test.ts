import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repoURL, sampleApplication } from '../gateway-fixture.ts'
import { openShop, shown } from './objects-fixture.ts'

test('objects are found by the template that made them, rendered once for a commit', async () => {
  await using gateway = await openShop()
  const answer = await gateway.listOrigins()
  assert.deepEqual(
    answer.origins.map(({ origin, objects, drySha, source }) => [origin.template, objects, drySha, source]),
    [
      ['templates/more.yaml', 1, 'e'.repeat(40), 0],
      ['templates/web.yaml', 2, 'e'.repeat(40), 0],
    ],
  )
  assert.equal(answer.unknown, 3)
  assert.deepEqual(
    shown(await gateway.list({ origin: 2 })).map((line) => line.split(' ')[0]),
    ['ConfigMap', 'Secret'],
  )
  assert.equal((await gateway.list({ origin: 0 })).total, 3)
  assert.equal(gateway.fixture.calls.filter((call) => call.endsWith('/RenderSources')).length, 1)
})

test('Applications that share a directory have origins of their own', async () => {
  await using gateway = await openShop()
  const syncSource = { targetBranch: 'environments/prod', path: 'shop' }
  await gateway.context.store.create(sampleApplication('other', { sourceHydrator: { syncSource } }))
  await gateway.listOrigins()
  await gateway.listOrigins('other')
  await gateway.listOrigins()
  assert.equal(gateway.fixture.calls.filter((call) => call.endsWith('/RenderSources')).length, 2)
})

test('files of other sources are read at the commits that the record names', async () => {
  const recorded = ['1', '2'].map((digit) => ({ drySha: digit.repeat(40) }))
  await using gateway = await openShop({ metadata: { sources: recorded } })
  const drySources = [
    { repoURL, targetRevision: 'main', path: 'apps/shop' },
    { repoURL, targetRevision: 'main', ref: 'values' },
    { repoURL, targetRevision: 'main', ref: 'added' },
  ]
  const storeWith = (name: string, count: number) => {
    const sourceHydrator = { drySource: undefined, drySources: drySources.slice(0, count) }
    return gateway.context.store.create(sampleApplication(name, { sourceHydrator }))
  }
  await storeWith('two', 2)
  await gateway.listOrigins('two')
  assert.deepEqual(gateway.referenced, ['2'.repeat(40)])
  await storeWith('three', 3)
  await assert.rejects(gateway.listOrigins('three'), /bbbbbbb does not record the commit of dry source 3/)
})

test('an object is explained by its template and the values that it reads, else by those in its text', async () => {
  await using gateway = await openShop()
  const web = { namespace: 'shop', name: 'web' }
  const byTemplate = await gateway.explain({ kind: 'ConfigMap', ...web })
  assert.equal(byTemplate.origin?.origin.file, 'chart/templates/web.yaml')
  assert.deepEqual(
    [byTemplate.values.map(({ path }) => path), byTemplate.byText],
    [['.greeting.text'], false],
  )
  assert.equal(byTemplate.valuesLeftOut, 7)
  const byText = await gateway.explain({ kind: 'Deployment', group: 'apps', ...web })
  assert.deepEqual([byText.values.map(({ path }) => path), byText.byText], [['.other'], true])
  const secret = await gateway.explain({ kind: 'Secret', namespace: 'other', name: 'listed' })
  assert.deepEqual([secret.origin, secret.values], [undefined, []])
})
