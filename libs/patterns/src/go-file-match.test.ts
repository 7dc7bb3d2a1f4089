import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileMatcher } from './automaton.ts'
import { parseGoFileMatch } from './go-file-match.ts'
import { answersOf, recordedAnswers } from './recorded-answers-fixture.ts'

// What Go's path.Match gives for the same pair, `**` aside.
for (const [pattern, path, expected] of [
  ['abc', 'abc', true],
  ['*', 'abc', true],
  ['*c', 'abc', true],
  ['a*', 'ab/c', false],
  ['a*/b', 'abc/b', true],
  ['a*/b', 'a/c/b', false],
  ['a*b*c*d*e*/f', 'axbxcxdxexxx/f', true],
  ['a*b*c*d*e*/f', 'axbxcxdxexxx/fff', false],
  ['a*b?c*x', 'abxbbxdbxebxczzx', true],
  ['a*b?c*x', 'abxbbxdbxebxczzy', false],
  ['ab[c]', 'abc', true],
  ['ab[b-d]', 'abc', true],
  ['ab[^c]', 'abc', false],
  ['ab[^e-g]', 'abc', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'ab', false],
  ['a?b', 'a☺b', true],
  ['a[^a]b', 'a☺b', true],
  ['a???b', 'a☺b', false],
  ['[a-ζ]*', 'α', true],
  ['*[a-ζ]', 'A', false],
  ['a?b', 'a/b', false],
  ['a*b', 'a/b', false],
  ['a[^a]b', 'a/b', false],
  ['[\\]a]', ']', true],
  ['[\\-]', '-', true],
  ['[x\\-]', '-', true],
  ['[\\-x]', 'a', false],
  ['*x', 'xxx', true],
  ['a]b', 'a]b', true],
  ['{a,b}', 'a', false],
  ['{a,b}', '{a,b}', true],
  ['A', 'a', false],
  ['**', 'a/b/c', true],
  ['**/**', 'a/b/c', true],
  ['**/c', 'c', true],
  ['**/c', 'a/b/c', true],
  ['**/c', 'a/bc', false],
  ['a/**', 'a', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'ab/c', false],
  ['a/**/d', 'a/d', true],
  ['a/**/d', 'a/b/c/d', true],
  ['a/**/**/d', 'a/b/d', true],
  ['a/**/d', 'a/b/c', false],
  ['a**', 'abc', true],
  ['a**', 'a/b', false],
] as const) {
  test(`${pattern} ${expected ? 'matches' : 'does not match'} ${path}`, () => {
    assert.equal(compileMatcher(parseGoFileMatch(pattern, 'any'))(path), expected)
  })
}

test("what Go's path.Match answered about hundreds of patterns is answered", async () => {
  const { texts, answers } = await recordedAnswers('go-file-match')
  for (const { pattern, upstream, rules } of answers) {
    const own = answersOf(texts, () => compileMatcher(parseGoFileMatch(pattern)))
    assert.deepEqual([pattern, own], [pattern, rules ?? upstream])
  }
})

for (const [pattern, reason] of [
  ['[]a]', /unescaped "\]"/],
  ['[-]', /unescaped "-"/],
  ['[x-]', /unescaped "\]"/],
  ['[a-b-c]', /unescaped "-"/],
  ['[', /without "\]"/],
  ['[^', /without "\]"/],
  ['a[', /without "\]"/],
  ['a\\', /ends in "\\"/],
  ['[a/b]', /"\/" in a "\[" class/],
  ['a\\/b', /always written plain/],
] as const) {
  test(`${pattern} is refused`, () => {
    assert.throws(
      () => parseGoFileMatch(pattern),
      (error) => error instanceof InvalidInputError && reason.test(error.message),
    )
  })
}

test('a pattern that a backtracking search would never finish takes no time', { timeout: 2000 }, () => {
  assert.equal(compileMatcher(parseGoFileMatch(`${'*a'.repeat(500)}b`))('a'.repeat(1000)), false)
})
