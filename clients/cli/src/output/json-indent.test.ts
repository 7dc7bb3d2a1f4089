import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indentJson } from './json-indent.ts'

test('the layout is that of JSON.stringify', () => {
  const value = { a: [1, { b: '{"x": [1,2]}' }], c: {}, d: [], e: 'a"\\,', f: null, g: [[]] }
  assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, undefined, 2))
})

test('an integer beyond 2^53 keeps its digits', () => {
  assert.equal(indentJson('{"a":9007199254740993}'), '{\n  "a": 9007199254740993\n}')
})
