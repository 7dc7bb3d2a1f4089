import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGeneratorFixture } from '../generator-fixture.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())
const goTemplate = { goTemplate: true }

test('a selector sees nested values flat and as texts', async () => {
  const elements = [
    { n: 'a', size: 1e6, m: { list: ['x'] } },
    { n: 'b', size: 1, m: { list: ['x'] } },
    { n: 'c', size: 1e6 },
  ]
  const names = async (selector: Record<string, unknown>) =>
    (await fixture.parameters({ list: { elements }, selector }, goTemplate)).map(({ values }) => values['n'])
  assert.deepEqual(await names({ matchLabels: { size: '1e+06' } }), ['a', 'c'])
  assert.deepEqual(await names({ matchLabels: { 'm.list.0': 'x', size: '1e+06' } }), ['a'])
  assert.deepEqual(
    await names({ matchExpressions: [{ key: 'm.list.0', operator: 'NotIn', values: ['x'] }] }),
    ['c'],
  )
  assert.deepEqual(await names({}), ['a', 'b', 'c'])
})

test('a selector of the default engine sees flat keys, and any text may be a value', async () => {
  const elements = [
    { n: 'a', url: 'https://example.com/a?b=c d', values: { 'example.com/team': 'x' } },
    { n: 'b', url: '' },
  ]
  const names = async (matchLabels: Record<string, string>) =>
    (await fixture.parameters({ list: { elements }, selector: { matchLabels } })).map(
      ({ values }) => values['n'],
    )
  assert.deepEqual(await names({ url: 'https://example.com/a?b=c d' }), ['a'])
  assert.deepEqual(await names({ 'values.example.com/team': 'x' }), ['a'])
  assert.deepEqual(await names({ url: '' }), ['b'])
})

test('an entry yields what its kinds do in the order of Argo CD, whose last one is plugin', async () => {
  await assert.rejects(
    fixture.parameters({ plugin: { configMapRef: { name: 'x' } }, merge: { mergeKeys: ['a'] } }),
    /^InvalidInputError: spec\.generators\[0\]\.merge: found less than two generators/,
  )
})

test('selectors apply at every level', async () => {
  const list = (...names: string[]) => ({ list: { elements: names.map((n) => ({ n })) } })
  const inner = { ...list('a', 'b'), selector: { matchLabels: { n: 'a' } } }
  const merge = { mergeKeys: ['n'], generators: [inner, list('a')] }
  const sets = await fixture.parameters({
    merge,
    selector: { matchExpressions: [{ key: 'n', operator: 'Exists' }] },
  })
  assert.deepEqual(
    sets.map(({ values }) => values),
    [{ n: 'a' }],
  )
})

test('an entry with two kinds yields both, list before clusters', async () => {
  const entry = { clusters: {}, list: { elements: [{ name: 'listed' }] } }
  assert.deepEqual(
    (await fixture.parameters(entry)).map(({ values }) => values['name']),
    ['listed', 'in-cluster'],
  )
})

test('what cannot be run is refused by its place', async () => {
  await assert.rejects(fixture.parameters({}), /^InvalidInputError: spec\.generators\[0\] names no generator/)
  await assert.rejects(
    fixture.parameters({ list: 'x' }),
    /spec\.generators\[0\]\.list must be an object, not a string/,
  )
  await assert.rejects(
    fixture.parameters({ list: { template: 'x' } }),
    /spec\.generators\[0\]\.list\.template must be an object, not a string/,
  )
  await assert.rejects(
    fixture.parameters({ list: {}, selector: { matchLabels: { 'a b': 'c' } } }),
    /^InvalidInputError: spec\.generators\[0\]\.selector: matchLabels: "a b" is not a name/,
  )
})
