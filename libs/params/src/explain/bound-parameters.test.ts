import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundParameters } from './bound-parameters.ts'

test('the first 2000 parameters are reported, and how many more there are', () => {
  const all = Array.from({ length: 2003 }, (_, index) => ({ path: `.p${index}` }))
  const { parameters, leftOut } = boundParameters(all)
  assert.deepEqual([parameters.length, parameters.at(-1), leftOut], [2000, { path: '.p1999' }, 3])
  assert.deepEqual(boundParameters(all.slice(0, 2000)), { parameters: all.slice(0, 2000), leftOut: 0 })
})

test('what does not fit into 512 KiB of the text of a record is left out with all after it', () => {
  const long = { path: '.long', value: 'ä'.repeat(100 * 1024) }
  const { parameters, leftOut } = boundParameters([long, long, long, { path: '.short' }])
  assert.deepEqual([parameters.length, leftOut], [2, 2])
  assert.ok(Buffer.byteLength(JSON.stringify({ parameters }, undefined, 2)) < 512 * 1024)
})

test('no parameters stay none', () => {
  assert.deepEqual(boundParameters([]), { parameters: [], leftOut: 0 })
})
