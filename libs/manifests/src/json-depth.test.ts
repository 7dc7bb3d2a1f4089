import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNestedDeeper } from './json-depth.ts'

test('lists and objects add to the depth of a JSON text, and the contents of its strings do not', () => {
  const text = String.raw`{"a\"[[":[{"b":"[[{\\"}],"c":[[1],[2]]}`
  assert.deepEqual([isNestedDeeper(text, 3), isNestedDeeper(text, 2)], [false, true])
  assert.equal(isNestedDeeper('['.repeat(1_000_000), 200), true)
})
