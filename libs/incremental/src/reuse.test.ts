import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Reuse } from './reuse.ts'

const owner = {}

test('stores keep results of objects and of keys, the least recently used of which go first', () => {
  const reuse = new Reuse('on')
  const [byObject, byKey] = [reuse.byObject<object, string>(), reuse.byKey<string, number>(2)]
  byObject.set(owner, 'known')
  for (const key of ['a', 'b', 'c']) byKey.set(key, 1)
  assert.deepEqual(
    [byObject.get(owner), byObject.get({}), byKey.get('a'), byKey.get('c')],
    ['known', undefined, undefined, 1],
  )
})

test('without reuse nothing is kept', () => {
  const reuse = new Reuse('off')
  const [byObject, byKey] = [reuse.byObject<object, string>(), reuse.byKey<string, number>(2)]
  byObject.set(owner, 'known')
  byKey.set('a', 1)
  assert.deepEqual([byObject.get(owner), byKey.get('a')], [undefined, undefined])
  assert.equal(
    reuse.store(() => 'a store', 'none'),
    'none',
  )
})
