import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from './bounded-cache.ts'

test('a value is made once, and again only after the cache was full', () => {
  const cache = new BoundedCache<string>(2)
  const made: string[] = []
  const get = (key: string) =>
    cache.get(key, (asked) => {
      made.push(asked)
      return asked.toUpperCase()
    })
  assert.equal(get('a'), 'A')
  assert.equal(get('a'), 'A')
  assert.equal(get('b'), 'B')
  assert.equal(get('c'), 'C')
  assert.equal(get('a'), 'A')
  assert.deepEqual(made, ['a', 'b', 'c', 'a'])
})
