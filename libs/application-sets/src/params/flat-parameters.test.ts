import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flatParameters } from './flat-parameters.ts'

test('maps and lists become dotted keys with texts, empty ones vanish', () => {
  const values = { a: { b: 1e6, c: [true, { d: null }] }, 'x.y': 'z', empty: {}, none: [], __proto__x: 1 }
  assert.deepEqual(
    [...flatParameters(values)],
    [
      ['a.b', '1e+06'],
      ['a.c.0', 'true'],
      ['a.c.1.d', '<nil>'],
      ['x.y', 'z'],
      ['__proto__x', '1'],
    ],
  )
})

test('a key that JavaScript knows is one like every other', () => {
  const values: unknown = JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":"c"}')
  assert.deepEqual(
    [...flatParameters(values as Record<string, unknown>)],
    [
      ['__proto__.polluted', 'yes'],
      ['constructor', 'c'],
    ],
  )
})
