import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growingCache } from './growing-cache.ts'

test('a cache beyond its entries forgets the one unused for longest', () => {
  const cache = growingCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([...cache.keys()].toSorted(), ['a', 'c'])
})
