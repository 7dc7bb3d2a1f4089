import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatorFacts } from './generator-facts.ts'

function factsOf(...generators: Record<string, unknown>[]) {
  return generatorFacts({ generators: generators.map((fields) => ({ path: '', fields })) })
}

test('lists and clusters are never asked again by a timer', () => {
  const { requeueMs, readsClusters } = factsOf({ list: {} }, { clusters: { requeueAfterSeconds: 5 } })
  assert.deepEqual([...requeueMs], [])
  assert.equal(readsClusters, true)
})

test('of generators of one kind the shortest time applies, inner ones too', () => {
  const merge = { generators: [{ git: { requeueAfterSeconds: 60 } }, { plugin: {} }] }
  const { requeueMs, readsClusters } = factsOf(
    { git: {}, selector: {} },
    { matrix: { generators: [{ scmProvider: { requeueAfterSeconds: 0 } }, { merge }] } },
  )
  assert.deepEqual(Object.fromEntries(requeueMs), { git: 60_000, scmProvider: 1_800_000, plugin: 1_800_000 })
  assert.equal(readsClusters, false)
})

test('an artifact of a registry is asked for again as the commits of a repository are', () => {
  assert.deepEqual([...factsOf({ oci: {} }).requeueMs], [['git', 180_000]])
  const both = factsOf({ git: { requeueAfterSeconds: 600 } }, { oci: { requeueAfterSeconds: 60 } })
  assert.deepEqual([...both.requeueMs], [['git', 60_000]])
})

test('a time longer than timers can wait is the longest that they can', () => {
  const milliseconds = factsOf({ git: { requeueAfterSeconds: 1e12 } }).requeueMs.get('git') ?? 0
  assert.ok(milliseconds > 24 * 24 * 3_600_000 && milliseconds < 2 ** 31)
})

test('the ConfigMaps of plugins and of cluster decisions are reported', () => {
  const { configMaps, readsClusters } = factsOf(
    { plugin: { configMapRef: { name: 'one' } } },
    { clusterDecisionResource: { configMapRef: 'two' } },
  )
  assert.deepEqual([...configMaps].toSorted(), ['one', 'two'])
  assert.equal(readsClusters, true)
})
