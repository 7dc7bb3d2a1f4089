import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileMatcher } from './automaton.ts'
import { parseDoubleStar } from './double-star.ts'
import { answersOf, recordedAnswers } from './recorded-answers-fixture.ts'

for (const [pattern, path, expected] of [
  ['env/*', 'env/dev', true],
  ['env/*', 'env/dev/west', false],
  ['env/*', 'xenv/dev', false],
  ['env/**', 'env/dev/west', true],
  ['env/**', 'env', true],
  ['{env,stage}/*', 'stage/a', true],
  ['env/**/*.{yaml,yml}', 'env/a.yml', true],
  ['env/**/*.{yaml,yml}', 'env/dev/west/a.yaml', true],
  ['env/{dev,dev/west}/values.yaml', 'env/dev/west/values.yaml', true],
  ['{a/**,b}/c', 'a/x/y/c', true],
  ['{**/c,x}', 'c', true],
  ['{a,{b,c/d}}.yaml', 'c/d.yaml', true],
  ['env/*', 'env/.hidden', true],
  ['!main', 'main', false],
  ['!main', '!main', true],
  ['{1..3}', '2', false],
  ['a+(b)', 'abb', false],
  ['[[:alpha:]]', 'a', false],
] as const) {
  test(`${pattern} ${expected ? 'matches' : 'does not match'} ${path}`, () => {
    assert.equal(compileMatcher(parseDoubleStar(pattern))(path), expected)
  })
}

test('what doublestar answered about hundreds of patterns is answered', async () => {
  const { texts, answers } = await recordedAnswers('double-star')
  for (const { pattern, upstream, rules } of answers) {
    const own = answersOf(texts, () => compileMatcher(parseDoubleStar(pattern)))
    assert.deepEqual([pattern, own], [pattern, rules ?? upstream])
  }
})

test('a pattern that is wrong is refused with the reason', () => {
  for (const [pattern, reason] of [
    ['[', /class that is empty or not closed/],
    ['[]', /class that is empty or not closed/],
    ['[!]', /class that is empty or not closed/],
    ['{a', /"\{" without "\}"/],
    ['a}', /"\}" without "\{"/],
    ['a\\', /ends in "\\"/],
    ['{'.repeat(101) + '}'.repeat(101), /nests more than 100 braces/],
    ['x'.repeat(4097), /more than 4096 characters/],
    ['{a/b,c}'.repeat(9), /more than 256 alternatives/],
  ] as const) {
    assert.throws(
      () => parseDoubleStar(pattern),
      (error) => error instanceof InvalidInputError && reason.test(error.message),
      pattern,
    )
  }
})

test('a pattern made to explode answers in time', { timeout: 2000 }, () => {
  assert.equal(compileMatcher(parseDoubleStar(`${'*a'.repeat(500)}b`))('a'.repeat(1000)), false)
  assert.equal(compileMatcher(parseDoubleStar('**/a/'.repeat(100)))(`${'a/'.repeat(500)}b`), false)
  assert.throws(() => parseDoubleStar('{a/b,{c/d,'.repeat(1000)), InvalidInputError)
  assert.equal(compileMatcher(parseDoubleStar('{a,b}'.repeat(500)))('a'.repeat(400)), false)
})
