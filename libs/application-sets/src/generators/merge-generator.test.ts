import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())
const goTemplate = { goTemplate: true }

type Fields = Record<string, unknown>

const list = (...elements: Fields[]): Fields => ({ list: { elements } })

async function merge(mergeKeys: string[], generators: Fields[], spec: Fields = {}): Promise<Fields[]> {
  return (await fixture.parameters({ merge: { mergeKeys, generators } }, spec)).map(({ values }) => values)
}

test('later generators lay their values over rows with equal keys, in the order of the first one', async () => {
  const base = list({ k: 'b', v: 'base' }, { k: 'a', v: 'base' }, { k: 'c', v: 'base' })
  const over = list({ k: 'a', v: 'over' }, { k: 'none', v: 'dropped' })
  const last = list({ k: 'a', w: 'last' }, { k: 'c', v: 'last' })
  assert.deepEqual(await merge(['k'], [base, over, last]), [
    { k: 'b', v: 'base' },
    { k: 'a', v: 'over', w: 'last' },
    { k: 'c', v: 'last' },
  ])
})

test('all keys must be equal, absent ones are equal to each other', async () => {
  const base = list({ a: '1', b: '1' }, { a: '1' })
  const over = list({ a: '1', x: 'absent' }, { b: '1', a: '1', x: 'both' })
  assert.deepEqual(await merge(['b', 'a'], [base, over]), [
    { a: '1', b: '1', x: 'both' },
    { a: '1', x: 'absent' },
  ])
})

test('the default engine finds flat keys of values', async () => {
  const base = list({ n: 'x', values: { region: 'eu' } })
  const over = list({ m: 'y', values: { region: 'eu', extra: 'e' } })
  assert.deepEqual(await merge(['values.region'], [base, over]), [
    { n: 'x', m: 'y', 'values.region': 'eu', 'values.extra': 'e' },
  ])
})

test('Go templates get maps merged, and keys may lead into them', async () => {
  const base = list({
    values: { 'example.com/region': 'eu', keep: 1, list: [1] },
    metadata: { 'a.b': { c: 2 } },
  })
  const over = list({
    values: { 'example.com/region': 'eu', keep: '', list: [2, 3] },
    metadata: { 'a.b': { c: 2 } },
  })
  assert.deepEqual(await merge(['values.example.com/region', 'metadata.a.b.c'], [base, over], goTemplate), [
    { values: { 'example.com/region': 'eu', keep: '', list: [2, 3] }, metadata: { 'a.b': { c: 2 } } },
  ])
  const other = list({ values: { 'example.com/region': 'us', keep: 9 } })
  assert.deepEqual(await merge(['values.example.com/region'], [base, other], goTemplate), [
    { values: { 'example.com/region': 'eu', keep: 1, list: [1] }, metadata: { 'a.b': { c: 2 } } },
  ])
})

test('maps are equal whatever the order of their keys, and merging changes neither side', async () => {
  const base = { list: { elements: [{ k: { x: 1, y: 2 }, m: { a: 1 } }] } }
  const over = { list: { elements: [{ k: { y: 2, x: 1 }, m: { b: 2 } }] } }
  assert.deepEqual(await merge(['k'], [base, over], goTemplate), [{ k: { x: 1, y: 2 }, m: { a: 1, b: 2 } }])
  assert.deepEqual(base.list.elements[0]?.m, { a: 1 })
})

test('two rows of one generator with equal keys are refused', async () => {
  await assert.rejects(
    merge(['k', 'a'], [list({ k: 'x', a: '1' }), list({ k: 'y' }, { k: 'y', z: '1' })]),
    new InvalidInputError(
      'spec.generators[0].merge: the parameters from a generator were not unique by the given mergeKeys, ' +
        'Merge requires all param sets to be unique. Duplicate key was {"a":null,"k":"y"} (of ' +
        'spec.generators[0].merge.generators[1].list.elements[0] and ' +
        'spec.generators[0].merge.generators[1].list.elements[1])',
    ),
  )
})

test('maps of texts and other maps are merged', async () => {
  await using other = await startGeneratorFixture()
  await other.addCluster('c')
  const clusters = { clusters: { selector: { matchExpressions: [] }, values: { a: '1', b: '1' } } }
  const over = list({ name: 'c', values: { b: 2 } })
  const sets = await other.parameters(
    { merge: { mergeKeys: ['name'], generators: [clusters, over] } },
    goTemplate,
  )
  assert.deepEqual(sets[0]?.values['values'], { a: '1', b: 2 })
})

test('merge keys are compared as JSON', async () => {
  const yaml = (elementsYaml: string): Fields => ({ list: { elementsYaml } })
  assert.deepEqual(
    (await merge(['k'], [yaml('[{k: 1}, {k: "1"}]'), yaml('[{k: "1", v: text}, {k: 1.0, v: number}]')])).map(
      ({ v }) => v,
    ),
    ['number', 'text'],
  )
})

test('a merge and a matrix may hold one another', async () => {
  const inner = { matrix: { generators: [list({ a: '1' }), list({ b: '2' })] } }
  assert.deepEqual(await merge(['a'], [inner, list({ a: '1', c: '3' })]), [{ a: '1', b: '2', c: '3' }])
})

for (const [mergeKeys, generators, message] of [
  [['k'], [list()], 'found less than two generators, Merge requires two or more'],
  [[], [list(), list()], 'no merge keys were specified, Merge requires at least one'],
  [[1], [list(), list()], 'mergeKeys[0] must be a string, not a number'],
] as const) {
  test(`merge keys ${JSON.stringify(mergeKeys)} of ${generators.length} generators are refused`, async () => {
    await assert.rejects(
      fixture.parameters({ merge: { mergeKeys, generators } }),
      new InvalidInputError(`spec.generators[0].merge: ${message}`),
    )
  })
}

test('there may be a hundred merge keys', async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`)
  assert.equal((await merge(keys(100), [list({ k1: 'a' }), list({ k1: 'a' })])).length, 1)
  await assert.rejects(
    merge(keys(101), [list({ k1: 'a' }), list({ k1: 'a' })]),
    (error) => error instanceof InvalidInputError && error.message.includes('has 101 keys; at most 100'),
  )
})
