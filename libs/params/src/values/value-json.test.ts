import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { randomValue } from './random-value-fixture.ts'
import { fromJson, jsonText, toJson } from './value-json.ts'
import { copyValue } from './value-tree.ts'
import { Float } from './value.ts'
import type { Value } from './value.ts'

test('integers keep their digits and floats have a point or an exponent', () => {
  const cases: [Value, string][] = [
    [1, '1'],
    [18446744073709551615n, '18446744073709551615'],
    [new Float(1), '1.0'],
    [new Float(-0), '-0.0'],
    [new Float(0.5), '0.5'],
    [new Float(1e21), '1e+21'],
    [new Float(1234567), '1234567.0'],
    [null, 'null'],
    ['a"b', '"a\\"b"'],
    [[1, new Float(2)], '[1,2.0]'],
    [new Map([['k', true]]), '{"k":true}'],
  ]
  for (const [value, text] of cases) assert.equal(jsonText(value), text)
})

test('plain data has numbers for floats, and every key for its own', () => {
  const json = toJson(
    new Map<string, Value>([
      ['__proto__', new Float(1.5)],
      ['constructor', 7n],
    ]),
  )
  assert.deepEqual(Object.entries(json ?? {}), [
    ['__proto__', 1.5],
    ['constructor', 7n],
  ])
  assert.equal(Object.getPrototypeOf(json), Object.prototype)
})

test('plain data comes back as the value it was, but for floats that look like integers', () => {
  assert.deepEqual(fromJson({ a: [1, 1.5, 7n, null] }), new Map([['a', [1, new Float(1.5), 7n, null]]]))
  fc.assert(
    fc.property(randomValue, (value) => {
      assert.equal(jsonText(fromJson(toJson(value))), jsonText(withIntegralFloatsAsIntegers(value)))
    }),
  )
})

test('the text is JSON of the same data', () => {
  fc.assert(
    fc.property(randomValue, (value) => {
      assert.deepEqual(
        JSON.parse(jsonText(value), withoutSignOfZero),
        JSON.parse(JSON.stringify(toJson(value), bigintAsNumber)),
      )
    }),
  )
})

/** JSON.stringify writes no minus in front of zero. */
function withoutSignOfZero(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value
}

function bigintAsNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

function withIntegralFloatsAsIntegers(value: Value): Value {
  if (value instanceof Float) return Number.isInteger(value.value) ? value.value : value
  if (value instanceof Map) {
    return new Map(Array.from(value, ([key, member]) => [key, withIntegralFloatsAsIntegers(member)]))
  }
  return Array.isArray(value) ? value.map(withIntegralFloatsAsIntegers) : copyValue(value)
}
