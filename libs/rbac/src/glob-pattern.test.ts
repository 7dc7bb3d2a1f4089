import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileGlob } from './glob-pattern.ts'

for (const [pattern, text, expected] of [
  ['*', '', true],
  ['*', 'a/b\nc', true],
  ['**', 'a/b', true],
  ['*/*', 'p/a', true],
  ['*/*', 'p/ns/a', true],
  ['*/*', 'a', false],
  ['*/*', '/', true],
  ['dev/*', 'dev/', true],
  ['dev/*', 'dev', false],
  ['dev/*', 'prod-dev/x', false],
  ['*-web', 'dev/my-web', true],
  ['d*v/*-web', 'dev/a-web', true],
  ['b*b', 'b', false],
  ['a*bc*c', 'abc', false],
  ['a*bc*c', 'abcc', true],
  ['?', '/', true],
  ['?', '', false],
  ['?', '😀', true],
  ['?b', 'éb', true],
  ['[abc]x', 'bx', true],
  ['[a-c]x', 'bx', true],
  ['[a-c]x', 'dx', false],
  ['[!a-c]x', 'dx', true],
  ['[!abc]x', 'ax', false],
  ['[^a]', '^', true],
  ['[^a]', 'b', false],
  ['[\\]]', ']', true],
  ['[abc-z]', '-', true],
  ['[abc-z]', 'm', false],
  ['{get,create}', 'create', true],
  ['{get,create}', 'creat', false],
  ['{dev,prod}/*', 'prod/ns/web', true],
  ['{a,{b,c}}-{,x}', 'c-', true],
  ['{a,b', 'b', true],
  ['a,b}', 'a,b}', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['a\\', 'a', true],
  ['A', 'a', false],
  ['a.c', 'abc', false],
  ['', '', true],
  ['', 'a', false],
] as const) {
  test(`the glob "${pattern}" ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
    assert.equal(compileGlob(pattern)(text), expected)
  })
}

test('globs that gobwas refuses are refused', () => {
  for (const pattern of ['[', '[]', '[a', '[a-zA-Z]', '[c-a]', '[!]', '[a-']) {
    assert.throws(() => compileGlob(pattern), InvalidInputError, pattern)
  }
})

test('a glob made to explode answers in time', { timeout: 2000 }, () => {
  assert.equal(compileGlob(`${'*a'.repeat(40)}b`)('a'.repeat(2000)), false)
  assert.equal(compileGlob(`${'*a?'.repeat(40)}b`)('a'.repeat(2000)), false)
  assert.equal(compileGlob('{a,a}'.repeat(100))(`${'a'.repeat(99)}b`), false)
})
