import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Dependents } from './dependents.ts'

test('the results are found that depend on what changed, each once', () => {
  const dependents = new Dependents()
  dependents.set(0, ['base', 'a'])
  dependents.set(1, ['base', 'b', 'b'])
  dependents.set(2, [])
  const of = (...keys: string[]) => [...dependents.of(keys)].toSorted((one, other) => one - other)
  assert.deepEqual([of('base', 'a'), of('b'), of('unknown'), of()], [[0, 1], [1], [], []])
})

test('a result depends no more on what it depended on before', () => {
  const dependents = new Dependents()
  dependents.set(0, ['base', 'a'])
  dependents.set(1, ['base'])
  dependents.set(0, ['c'])
  assert.deepEqual([[...dependents.of(['base'])], [...dependents.of(['a'])]], [[1], []])
  assert.deepEqual([...dependents.of(['c'])], [0])
})
