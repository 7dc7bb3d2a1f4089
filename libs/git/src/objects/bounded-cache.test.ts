import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from './bounded-cache.ts'

test('the weight that is kept never exceeds the bound', () => {
  const cache = new BoundedCache<number>(100)
  for (let i = 0; i < 1000; i += 1) cache.set(String(i), i, 7)
  const kept = Array.from({ length: 1000 }, (_, i) => String(i)).filter((key) => cache.get(key) !== undefined)
  assert.ok(kept.length * 7 <= 100 && kept.length > 0, `${kept.length} are kept`)
})

test('what is used stays while others come and go', () => {
  const cache = new BoundedCache<string>(10)
  cache.set('used', 'value', 1)
  for (let i = 0; i < 100; i += 1) {
    cache.set(String(i), 'other', 1)
    assert.equal(cache.get('used'), 'value')
  }
  assert.equal(cache.get('0'), undefined)
})

test('a value that is too heavy is not kept', () => {
  const cache = new BoundedCache<string>(10)
  cache.set('heavy', 'value', 6)
  assert.equal(cache.get('heavy'), undefined)
})
