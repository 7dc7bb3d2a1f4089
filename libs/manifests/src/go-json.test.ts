import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goJsonObject, goJsonText, inKeyOrder } from './go-json.ts'

test('strings are escaped as encoding/json does it', () => {
  assert.equal(goJsonText('<a> & "\u2028\u2029é\n'), String.raw`"\u003ca\u003e \u0026 \"\u2028\u2029é\n"`)
})

test('keys go in the order of their bytes: Go has the full-width tilde before an emoji', () => {
  const entries = ['😀', '～', 'ﬁ', 'é', 'z'].map((key): [string, string] => [key, '1'])
  assert.equal(goJsonObject(inKeyOrder(entries)), '{"z":1,"é":1,"ﬁ":1,"～":1,"😀":1}')
})
