import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileMatcher } from './automaton.ts'
import { answersOf, recordedAnswers } from './recorded-answers-fixture.ts'
import { parseZglob } from './zglob.ts'

// What go-zglob v0.0.6 gives for the same pair.
for (const [pattern, path, expected] of [
  ['**/x', 'x', true],
  ['**/x', 'a/b/x', true],
  ['**/x', 'ax', false],
  ['**/*/x', 'x', false],
  ['**/*/x', 'a/x', true],
  ['s**/x', 'sub/x', true],
  ['s**/x', 'sx', true],
  ['a/**', 'a/b', true],
  ['a/**', 'a/b/c', false],
  ['{a/b,c}/*', 'a/b/x', true],
  ['*{a,{b,c}}', 'xa}', true],
  ['q?*', 'q?', true],
  ['q?*', 'qx', false],
  ['*[a-c]', 'xb', true],
  ['*[^a-c]', 'xb', false],
  ['*[^a-c]', 'x/', false],
  ['*[]', 'x', true],
  ['*{}', 'x}', true],
  ['*\\{z\\}', 'a{z}', true],
  ['*\\', 'a\\', true],
] as const) {
  test(`${pattern} ${expected ? 'matches' : 'does not match'} ${path}`, () => {
    assert.equal(compileMatcher(parseZglob(pattern))(path), expected)
  })
}

test('what go-zglob answered about hundreds of patterns is answered', async () => {
  const { texts, answers } = await recordedAnswers('zglobs')
  for (const { pattern, upstream, rules } of answers) {
    const own = answersOf(texts, () => compileMatcher(parseZglob(pattern)))
    assert.deepEqual([pattern, own], [pattern, rules ?? upstream])
  }
})

test('a class or brace that is not closed is refused', () => {
  assert.throws(() => parseZglob('*{a'), InvalidInputError)
  assert.throws(() => parseZglob('*[a'), /"\[" is not closed/)
})

test('a pattern made to explode answers in time', { timeout: 2000 }, () => {
  assert.equal(compileMatcher(parseZglob('{a,b}'.repeat(500)))('a'.repeat(400)), false)
  assert.equal(compileMatcher(parseZglob(`${'**/a'.repeat(500)}b`))('a'.repeat(1000)), false)
})
