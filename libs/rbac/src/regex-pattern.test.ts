import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileRegex } from './regex-pattern.ts'

for (const [pattern, text, expected] of [
  ['dev', 'prod-devs/x', true],
  ['^dev$', 'dev', true],
  ['^dev$', 'dev\n', false],
  ['(?m)^b$', 'a\nb\nc', true],
  ['', '', true],
  ['', 'anything', true],
  ['^(get|create)$', 'create', true],
  ['^(get|create)$', 'creates', false],
  ['^dev/(ns/)?web-[0-9]{2,3}$', 'dev/ns/web-123', true],
  ['^dev/(ns/)?web-[0-9]{2,3}$', 'dev/web-1', false],
  ['a{,2}', 'a{,2}', true],
  ['a{01}', 'a', false],
  ['a{0}b', 'b', true],
  ['^a.c$', 'a\nc', false],
  ['(?s)^a.c$', 'a\nc', true],
  ['(?i)^DEV', 'dev/x', true],
  ['(?i:D)ev', 'dev', true],
  ['(?i:D)ev', 'dEV', false],
  ['(?i)[^D]', 'd', false],
  ['(?P<env>dev|prod)/', 'prod/x', true],
  ['^[[:alpha:]]+$', 'abc', true],
  ['^[[:^alpha:]]+$', 'abc', false],
  ['^[]a-c-]+$', ']b-', true],
  ['^[^a]$', '\n', true],
  ['^\\w\\W\\d\\s$', 'a-1 ', true],
  ['^\\s$', '\v', false],
  ['\\bdev\\b', 'a dev', true],
  ['\\bdev\\b', 'adev', false],
  ['\\p{Lu}\\PL\\p{Greek}', 'É1π', true],
  ['\\x41\\x{1F600}\\102', 'A😀B', true],
  ['\\Qa.*\\E$', 'a.*', true],
  ['\\Qa.*\\E$', 'abb', false],
  ['^https?://git\\.example\\.com/', 'https://git.example.com/a', true],
  ['(a*)+$', 'b', true],
  ['^(|a)+$', 'aa', true],
] as const) {
  test(`the expression ${pattern} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
    assert.equal(compileRegex(pattern)(text), expected)
  })
}

test('expressions that Go refuses are refused', () => {
  const refused = [
    '*',
    '*/*',
    'a**',
    'a*+',
    '(',
    ')',
    '[',
    'a{1001}',
    '(a{50}){30}',
    'a{2,1}',
    '(?=a)',
    '(?<!a)b',
  ]
  refused.push('\\1', '\\Z', '\\y', '[b-a]', '[[:nothing:]]', '\\p{Nothing}', '(?P<n>a)(?P<n>b)', 'a\\')
  for (const pattern of refused) assert.throws(() => compileRegex(pattern), InvalidInputError, pattern)
})

test('an expression with more states than the limit is refused', () => {
  assert.throws(() => compileRegex('(abcdefghij){500}'), /4096 states/)
})

test('an expression made to backtrack answers in time', { timeout: 5000 }, () => {
  assert.equal(compileRegex('^(a+)+$')(`${'a'.repeat(2000)}b`), false)
  assert.equal(compileRegex('(a|a)*(a|a)*(a|a)*c')('a'.repeat(2000)), false)
  assert.equal(compileRegex('(x?){900}y')('x'.repeat(2000)), false)
})
