import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileGlob } from './glob.ts'

for (const [pattern, text, expected, separator] of [
  ['*', '', true, undefined],
  ['*', 'a/b\nc', true, undefined],
  ['a*c', 'a/b/c', true, undefined],
  ['a*c', 'a/b/c', false, '/'],
  ['a**c', 'a/b/c', true, '/'],
  ['https://git/*', 'https://git/team/repo', false, '/'],
  ['https://git/**', 'https://git/team/repo', true, '/'],
  ['https://git/*/repo', 'https://git/team/repo', true, '/'],
  ['?', 'x', true, undefined],
  ['?', '/', true, undefined],
  ['?', '/', false, '/'],
  ['?', '', false, undefined],
  ['[abc]x', 'bx', true, undefined],
  ['[a-c]x', 'bx', true, undefined],
  ['[a-c]x', 'dx', false, undefined],
  ['[!a-c]x', 'dx', true, undefined],
  ['[!a-c]x', 'ax', false, undefined],
  ['[^a]', '^', true, undefined],
  ['team-{a,b*}', 'team-a', true, undefined],
  ['team-{a,b*}', 'team-bcd', true, undefined],
  ['team-{a,b*}', 'team-c', false, undefined],
  ['{a,{b,c}}-{,x}', 'c-', true, undefined],
  ['\\*', '*', true, undefined],
  ['\\*', 'a', false, undefined],
  ['a.c', 'abc', false, undefined],
  ['', '', true, undefined],
  ['', 'a', false, undefined],
  ['ab', 'abc', false, undefined],
] as const) {
  const where = separator === undefined ? '' : ` with the separator ${separator}`
  test(`"${pattern}" ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}${where}`, () => {
    assert.equal(compileGlob(pattern, separator)(text), expected)
  })
}

test('patterns that are not closed are refused', () => {
  for (const pattern of ['[a', '{a,b', '\\', 'x'.repeat(1025)]) {
    assert.throws(() => compileGlob(pattern), InvalidInputError)
  }
})

test('a pattern made to explode answers in time', { timeout: 2000 }, () => {
  assert.equal(compileGlob(`${'*a'.repeat(40)}b`)('a'.repeat(2000)), false)
  assert.equal(compileGlob('{a,a}'.repeat(100))(`${'a'.repeat(99)}b`), false)
})
