import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './canonical-json.ts'

test('equal values have one canonical text, lists keep their order', () => {
  assert.equal(canonicalJson({ b: 1, a: { d: [2, 1], c: null } }), '{"a":{"c":null,"d":[2,1]},"b":1}')
  assert.equal(canonicalJson({ a: { c: null, d: [2, 1] }, b: 1 }), '{"a":{"c":null,"d":[2,1]},"b":1}')
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
  assert.equal(canonicalJson({ a: undefined }), '{}')
})

test('large integers are not rounded, and differ from their digits as a string', () => {
  assert.equal(canonicalJson([{ b: 9007199254740993n }]), '[{"b":"9007199254740993n"}]')
})
