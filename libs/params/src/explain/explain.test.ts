import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainTrees } from './explain.ts'
import { readLocatedYaml } from '../yaml/located-yaml.ts'
import { resolve } from '../resolve/resolve.ts'
import type { Located } from '../values/value.ts'

function explained(...trees: readonly Located[]) {
  const layers = trees.map((tree) => ({ rank: 0, owner: 'tool', kind: 'default', tree }) as const)
  return [...explainTrees([{ name: 'values', resolution: resolve(layers, 'deep') }])]
}

test('each leaf has its winner and what it overrides, with file and line', () => {
  const low = readLocatedYaml('a: {b: 1}\nlist: [1, {x: 2}]\n', 'low.yaml')
  const high = readLocatedYaml('a:\n  b: 12345678901234567890\n', 'high.yaml')
  const from = { owner: 'tool', kind: 'default', file: 'high.yaml', line: 2, value: '12345678901234567890' }
  const overridden = { owner: 'tool', kind: 'default', file: 'low.yaml', line: 1, value: 1 }
  const list = { ...overridden, line: 2, value: [1, { x: 2 }] }
  assert.deepEqual(explained(low, high), [
    { of: 'values', path: '.a.b', value: '12345678901234567890', from, beats: [overridden] },
    { of: 'values', path: '.list', value: [1, { x: 2 }], from: list, beats: [] },
  ])
})

test('a large value that stands in the way of many is reported by its size, the winner in full', () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => index)
  const entries = numbers.map((index) => [`key-${index}`, index] as const)
  const inTheWay = { value: new Map([['a', numbers]]), at: { file: 'low.yaml' } }
  const text = { value: new Map([['a', 'x'.repeat(5_000)]]), at: { file: 'text.yaml' } }
  const winner = { value: new Map([['a', new Map(entries)]]), at: { file: 'high.yaml' } }
  const parameters = explained(inTheWay, text, winner)
  assert.equal(parameters.length, 5_000)
  assert.deepEqual(
    parameters[7]?.beats.map(({ value }) => value),
    [`${'x'.repeat(999)}…`, 'a list of 5000 items'],
  )
  const [whole] = explained(inTheWay)
  assert.deepEqual([whole?.value, whole?.from.value], [numbers, numbers])
})

test('what is overridden is bounded over all parameters', () => {
  const entries = Array.from({ length: 3_000 }, (_, index) => [`key-${index}`, 1] as const)
  const low = Array.from({ length: 100 }, () => readLocatedYaml('a: 1\n', 'low.yaml'))
  const high = { value: new Map([['a', new Map(entries)]]), at: { file: 'high.yaml' } }
  const parameters = explained(...low, high)
  assert.equal(parameters.length, 3_000)
  assert.equal(parameters[0]?.beats.length, 100)
  assert.equal(
    parameters.reduce((sum, { beats }) => sum + beats.length, 0),
    200_000,
  )
})
