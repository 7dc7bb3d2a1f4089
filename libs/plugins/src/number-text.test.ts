import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNumberText, jsonNumberText } from './number-text.ts'

test('decimal numbers are distinguished from other strings', () => {
  const numbers = ['0', '-1', '+1', '1.', '.5', '1.10', '1e3', '1E-3', '12345678901234567890']
  const others = ['', '.', '-', '1e', '0x1F', '1_000', 'NaN', 'Infinity', ' 1', '1 ', '1\n', '1,5']
  assert.deepEqual([...numbers, ...others].filter(isNumberText), numbers)
})

test('a number is written by the grammar of JSON, and otherwise as it is', () => {
  const cases = {
    '+1': '1',
    '1.': '1',
    '.50': '0.50',
    '-007': '-7',
    '1.10': '1.10',
    '1e3': '1e3',
    '-0': '-0',
  }
  for (const [text, expected] of Object.entries(cases)) assert.equal(jsonNumberText(text), expected)
  for (const text of Object.keys(cases)) assert.equal(JSON.parse(jsonNumberText(text) ?? ''), Number(text))
  assert.equal(jsonNumberText('one'), undefined)
})
