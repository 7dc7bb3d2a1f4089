import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { manifestFromJson, manifestToJson } from './manifest-json.ts'

test('integers of 64 bits survive both ways', () => {
  const text =
    '{"a":9223372036854775807,"b":[-9223372036854775808,18446744073709551615,{"c":"1e5"}],"d":null}'
  const manifest = manifestFromJson(text)
  assert.deepEqual(manifest['a'], 9223372036854775807n)
  assert.equal(manifestToJson(manifest), text)
})

test('integral floats become integers when they fit 64 bits', () => {
  assert.deepEqual(manifestFromJson('{"a":1.0,"b":1e6,"c":1e18,"d":1e20,"e":0.5,"f":123456789e9}'), {
    a: 1,
    b: 1_000_000,
    c: 10n ** 18n,
    d: 1e20,
    e: 0.5,
    f: 123456789000000000n,
  })
})

test('a key __proto__ is data', () => {
  const manifest = manifestFromJson('{"__proto__":{"polluted":1},"n":12345678901234567890}')
  assert.deepEqual(Object.keys(manifest), ['__proto__', 'n'])
  assert.equal(manifestToJson(manifest), '{"__proto__":{"polluted":1},"n":12345678901234567890}')
})

test('text that is not a JSON object is refused', () => {
  for (const text of ['[]', '1', 'null', '{', '', '{"a":1e400}']) {
    assert.throws(() => manifestFromJson(text), InvalidInputError, text)
  }
})
