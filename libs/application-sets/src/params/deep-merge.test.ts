import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepMerge } from './deep-merge.ts'
import { isTextMap, textMap } from './text-map.ts'

test('the winner applies, even if it is empty, and only objects that both have are merged', () => {
  const winner = { a: '', b: null, c: false, d: 0, e: [], f: { x: 1 }, g: 'text', h: { y: { z: 1 } } }
  const base = { a: 1, b: 1, c: 1, d: 1, e: [1], f: 'text', g: { x: 1 }, h: { y: { w: 2 }, v: 2 }, i: 3 }
  const merged = deepMerge(winner, base)
  assert.deepEqual(merged, { ...winner, h: { y: { z: 1, w: 2 }, v: 2 }, i: 3 })
  assert.deepEqual(base.h, { y: { w: 2 }, v: 2 })
  assert.deepEqual(winner.h, { y: { z: 1 } })
})

test('two maps of texts make one, and a map of texts and another map do not', () => {
  const isTextMapAt = (winner: Record<string, unknown>, base: Record<string, unknown>): boolean => {
    const { values } = deepMerge({ values: winner }, { values: base })
    return typeof values === 'object' && values !== null && isTextMap(values)
  }
  assert.equal(isTextMapAt(textMap({ a: '1' }), textMap({ b: '2' })), true)
  assert.equal(isTextMapAt(textMap({ a: '1' }), { b: 2 }), false)
  assert.equal(isTextMapAt({ a: '1' }, textMap({ b: '2' })), false)
})

test('keys that JavaScript knows are merged like every other', () => {
  const parse = (text: string): Record<string, unknown> => JSON.parse(text)
  const merged = deepMerge(parse('{"__proto__":{"a":1}}'), parse('{"__proto__":{"b":2},"constructor":"c"}'))
  assert.equal(JSON.stringify(merged), '{"__proto__":{"b":2,"a":1},"constructor":"c"}')
})
