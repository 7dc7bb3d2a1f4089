import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goText } from './go-text.ts'

for (const [value, text] of [
  [123456, '123456'],
  [999999, '999999'],
  [1000000, '1e+06'],
  [11223344, '1.1223344e+07'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [12.5, '12.5'],
  [-1e21, '-1e+21'],
  [0, '0'],
  [true, 'true'],
  [null, '<nil>'],
  ['a b', 'a b'],
  [[1, 'a', null], '[1 a <nil>]'],
  [{ z: 1, a: 'q', '\u{1F335}': 1, '￥': 2 }, 'map[a:q z:1 ￥:2 \u{1F335}:1]'],
  [[], '[]'],
  [{}, 'map[]'],
] as const) {
  test(`${JSON.stringify(value)} prints as ${text}`, () => {
    assert.equal(goText(value), text)
  })
}
