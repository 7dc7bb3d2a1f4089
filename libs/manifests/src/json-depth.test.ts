import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNestedDeeper } from './json-depth.ts'

test('lists and objects count for the depth of a JSON text, and what is in its strings does not', () => {
  const text = String.raw`{"a\"[[":[{"b":"[[{\\"}],"c":[[1],[2]]}`
  assert.deepEqual([isNestedDeeper(text, 3), isNestedDeeper(text, 2)], [false, true])
  assert.equal(isNestedDeeper('['.repeat(1_000_000), 200), true)
})
