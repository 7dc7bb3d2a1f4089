import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileGoRegex } from './go-regex.ts'
import { answersOf, recordedAnswers } from './recorded-answers-fixture.ts'
import { regexSize } from './regex-size.ts'
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
    assert.equal(compileGoRegex(pattern)(text), expected)
  })
}

test("matches are those of Go's regexp, and its errors have the same messages", async () => {
  const { texts, answers } = await recordedAnswers('go-regexes')
  for (const { pattern, upstream, rules, error = '' } of answers) {
    assert.deepEqual([pattern, answersOf(texts, () => compileGoRegex(pattern))], [pattern, rules ?? upstream])
    if (error === '') continue
    assert.throws(
      () => compileGoRegex(pattern),
      new InvalidInputError(`regular expression ${JSON.stringify(pattern)}: ${error}`),
    )
  }
})

test('an expression that is too large is refused before it is compiled', { timeout: 2000 }, () => {
  for (const pattern of [
    '(abcdefghij){500}',
    `(${'abcdefghij'.repeat(90)}){1000}`,
    `(?:${'\\pL'.repeat(30)}){1000}`.repeat(20),
    'a{1000}'.repeat(5),
    'x'.repeat(4097),
  ]) {
    assert.throws(() => compileGoRegex(pattern), /more than 4096 characters, its repetitions written out/)
  }
  assert.throws(() => compileGoRegex('((a{1000}){1000}){1000}'), InvalidInputError)
  assert.throws(() => compileGoRegex('('.repeat(2000) + ')'.repeat(2000)), /nests too deeply/)
})

test('the size of an expression includes what repetitions expand to', () => {
  for (const [pattern, size] of [
    ['abc', 3],
    ['a{3,}b', 4],
    ['(ab){3}', 9],
    ['(?:ab){3}c', 10],
    ['(?P<n>ab){3}', 9],
    ['(a{10}){10}', 110],
    ['[a-z]{1,63}(\\.[a-z]{1,63})*', 129],
    ['[]a-c-]{5}[[:alpha:]]{5}', 10],
    ['\\pL{3}\\p{Greek}{4}\\x{1F600}{2}', 9],
    ['\\Qa{3}\\E', 4],
    ['a{,2}', 5],
    ['(a{5}', 5],
  ] as const) {
    assert.deepEqual([pattern, regexSize(pattern)], [pattern, size])
  }
})

test('an expression made to backtrack answers in time', { timeout: 5000 }, () => {
  assert.equal(compileGoRegex('^(a+)+$')(`${'a'.repeat(2000)}b`), false)
  assert.equal(compileGoRegex('(a|a)*(a|a)*(a|a)*c')('a'.repeat(2000)), false)
  assert.equal(compileGoRegex('(x?){900}y')('x'.repeat(2000)), false)
  assert.equal(compileGoRegex('(a|b)*a(a|b){500}c')('ab'.repeat(1000)), false)
})
