import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { ExactNumber, parseExactJson } from './exact-number.ts'
import { yamlValue } from './yaml-fixture.ts'

const texts = ['1.10', '1e3', '0.1', '12345678901234567890', '-0', '1E+400', '0.30000000000000004']

test('numbers of JSON keep every character', () => {
  const value = parseExactJson(`{"a": [${texts.join(', ')}]}`)
  assert.deepEqual(value, { a: texts.map((text) => new ExactNumber(text)) })
})

test('numbers of JSON keep every character however they are made', () => {
  let seed = 1
  const digit = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return String(seed % 10)
  }
  for (let length = 1; length <= 40; length++) {
    const digits = Array.from({ length }, digit).join('')
    const text = `-${digits.replace(/^0+(?=\d)/, '')}.${digits}e-${length}`
    assert.deepEqual(parseExactJson(text), new ExactNumber(text))
  }
})

test('keys of JSON that objects have by nature are ordinary ones', () => {
  const value = parseExactJson('{"__proto__": 1.0}')
  assert.deepEqual(Object.entries(value ?? {}), [['__proto__', new ExactNumber('1.0')]])
})

test('what is not valid JSON is refused', () => {
  for (const text of ['', '{', '[1] 2', "{'a': 1}"]) {
    assert.throws(() => parseExactJson(text), InvalidInputError)
  }
})

test('numbers of YAML keep their text, and what only YAML writes so has a decimal text too', () => {
  const [value] = yamlValue('[1.10, 1e3, 12345678901234567890, 0777, 0x1F, 1_000, .5, "1.10", 1.2.3]')
  assert.deepEqual(value, [
    new ExactNumber('1.10'),
    new ExactNumber('1e3'),
    new ExactNumber('12345678901234567890'),
    new ExactNumber('0777', '511'),
    new ExactNumber('0x1F', '31'),
    new ExactNumber('1_000', '1000'),
    new ExactNumber('.5'),
    '1.10',
    '1.2.3',
  ])
})

test('numbers that come through aliases and merges keep their text', () => {
  const [value] = yamlValue(`
base: &base {a: 1.10, b: &b 2.0}
merged: {<<: *base, b: 3.0, c: *b}
list:
  <<: [{a: 1.0, d: 4.00}, *base]
7.0: key
`)
  const of = (text: string) => new ExactNumber(text)
  assert.deepEqual(value, {
    base: { a: of('1.10'), b: of('2.0') },
    merged: { a: of('1.10'), b: of('3.0'), c: of('2.0') },
    list: { a: of('1.0'), d: of('4.00'), b: of('2.0') },
    7: 'key',
  })
})
