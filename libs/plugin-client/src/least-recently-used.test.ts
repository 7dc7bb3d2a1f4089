import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LeastRecentlyUsed } from './least-recently-used.ts'

test('what was not used for longest goes first, by weight', () => {
  const values = new LeastRecentlyUsed<string>(10)
  for (const key of ['a', 'b', 'c']) values.set(key, key.toUpperCase(), 3)
  assert.equal(values.get('a'), 'A')
  values.set('d', 'D', 4)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => values.get(key)),
    ['A', undefined, 'C', 'D'],
  )
  values.set('a', 'heavier', 6)
  assert.deepEqual(
    ['a', 'c', 'd'].map((key) => values.get(key)),
    ['heavier', undefined, 'D'],
  )
})

test('the newest value stays whatever it weighs, and alone', () => {
  const values = new LeastRecentlyUsed<number>(10)
  values.set('light', 1, 1)
  values.set('heavy', 2, 100)
  assert.deepEqual([values.get('light'), values.get('heavy')], [undefined, 2])
  values.set('next', 3, 1)
  assert.deepEqual([values.get('heavy'), values.get('next')], [undefined, 3])
  values.clear()
  assert.equal(values.get('next'), undefined)
})
