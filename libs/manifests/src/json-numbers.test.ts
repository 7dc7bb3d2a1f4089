import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { parseJsonNumbers } from './json-numbers.ts'

const shown = (text: string): unknown => parseJsonNumbers(text, (number) => `#${number}`)

test('numbers keep their text, everything else is as JSON has it', () => {
  assert.deepEqual(shown('{"a":1.10,"b":[-0,1e400],"c":"1","d":null,"\\u0065":true}'), {
    a: '#1.10',
    b: ['#-0', '#1e400'],
    c: '1',
    d: null,
    e: true,
  })
})

test('the last of equal keys applies, and no key reaches the prototype', () => {
  const value = shown('{"a":1,"a":2,"__proto__":{"polluted":1}}')
  assert.deepEqual(Object.entries(value ?? {}), [
    ['a', '#2'],
    ['__proto__', { polluted: '#1' }],
  ])
  assert.equal('polluted' in {}, false)
})

test('a text that is not JSON is refused with the position', () => {
  for (const text of ['', '{"a":1,}', '[01]', '{"a" 1}', '1 2', 'NaN']) {
    assert.throws(() => shown(text), InvalidInputError, text)
  }
  assert.throws(() => shown('[1,\n2'), /position 5/)
})

test('a text that is nested too deeply is refused', () => {
  assert.throws(
    () => shown('['.repeat(100_000) + ']'.repeat(100_000)),
    new InvalidInputError('the JSON is nested too deeply'),
  )
})

test('broken texts of many shapes leave the process alone', () => {
  const text = '[{"name":"a","map":{"b":"1.50"},"list":["x",{"y":[1.5,true]}],"n":12345678901234567890}]'
  for (let round = 0; round < 20; round++) {
    for (let cut = 0; cut < text.length; cut++) {
      for (const broken of [text.slice(0, cut), text.slice(0, cut) + text.slice(cut + 3)]) {
        try {
          shown(broken)
        } catch (error) {
          assert.ok(error instanceof InvalidInputError)
        }
      }
    }
  }
})
