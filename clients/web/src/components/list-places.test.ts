import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPlaces } from './list-places.ts'

test('each group has a heading before its items', () => {
  const groups = [
    { value: 'a', total: 2 },
    { value: '', total: 1 },
  ]
  const { count, at } = listPlaces(groups, 3)
  assert.deepEqual(
    Array.from({ length: count }, (_, line) => at(line)),
    [{ heading: groups[0] }, { index: 0 }, { index: 1 }, { heading: groups[1] }, { index: 2 }],
  )
})

test('a list without groups has its items alone', () => {
  const { count, at } = listPlaces([], 2)
  assert.deepEqual([count, at(0), at(1)], [2, { index: 0 }, { index: 1 }])
})
