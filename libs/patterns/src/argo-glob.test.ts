import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileArgoGlob } from './argo-glob.ts'
import { answersOf, recordedAnswers } from './recorded-answers-fixture.ts'

for (const [pattern, text, expected, separators = ''] of [
  ['*', '', true],
  ['*', 'a/b\nc', true],
  ['**', 'a/b', true],
  ['*/*', 'p/a', true],
  ['*/*', 'p/ns/a', true],
  ['*/*', 'a', false],
  ['*/*', '/', true],
  ['a*c', 'a/b/c', true],
  ['a*c', 'a/b/c', false, '/'],
  ['a**c', 'a/b/c', true, '/'],
  ['https://git/*', 'https://git/team/repo', false, '/'],
  ['https://git/**', 'https://git/team/repo', true, '/'],
  ['https://git/*/repo', 'https://git/team/repo', true, '/'],
  ['*', 'a.b', false, '/.'],
  ['dev/*', 'dev/', true],
  ['dev/*', 'dev', false],
  ['dev/*', 'prod-dev/x', false],
  ['*-web', 'dev/my-web', true],
  ['d*v/*-web', 'dev/a-web', true],
  ['*.yaml', 'a/b.yaml', true],
  ['*.yaml', 'a.yml', false],
  ['**/x', 'a/b/x', true],
  ['b*b', 'b', false],
  ['a*bc*c', 'abc', false],
  ['a*bc*c', 'abcc', true],
  ['?', 'x', true],
  ['?', '/', true],
  ['?', '/', false, '/'],
  ['?', '', false],
  ['?', '😀', true],
  ['?b', 'éb', true],
  ['?.yaml', 'ab.yaml', false],
  ['🦆*', '🦆.yaml', true],
  ['[abc]x', 'bx', true],
  ['[a-c]x', 'bx', true],
  ['[a-c]x', 'dx', false],
  ['[!a-c]x', 'dx', true],
  ['[!a-c]x', 'bx', false],
  ['[!abc]x', 'ax', false],
  ['[^a]', '^', true],
  ['[^a]', 'b', false],
  ['[\\]]', ']', true],
  ['[a\\]b]', ']', true],
  ['[-a]', '-', true],
  ['[abc-z]', '-', true],
  ['[abc-z]', 'm', false],
  ['{get,create}', 'create', true],
  ['{get,create}', 'creat', false],
  ['team-{a,b*}', 'team-a', true],
  ['team-{a,b*}', 'team-bcd', true],
  ['team-{a,b*}', 'team-c', false],
  ['{a,b/*}.yaml', 'b/c.yaml', true],
  ['{dev,prod}/*', 'prod/ns/web', true],
  ['{a,{b,c}}', 'c', true],
  ['{a,{b,c}}-{,x}', 'c-', true],
  ['{a,b', 'b', true],
  ['{a', 'a', true],
  ['a,b}', 'a,b}', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['a\\', 'a', true],
  ['\\', '', true],
  ['A', 'a', false],
  ['a.c', 'abc', false],
  ['ab', 'abc', false],
  ['', '', true],
  ['', 'a', false],
] as const) {
  const where = separators === '' ? '' : ` with the separators ${separators}`
  test(`"${pattern}" ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}${where}`, () => {
    assert.equal(compileArgoGlob(pattern, separators)(text), expected)
  })
}

test('what gobwas/glob answered about hundreds of patterns, with and without separators, is answered', async () => {
  const { texts, answers } = await recordedAnswers('argo-globs')
  for (const { pattern, separators = '', upstream, rules } of answers) {
    const own = answersOf(texts, () => compileArgoGlob(pattern, separators))
    assert.deepEqual([pattern, separators, own], [pattern, separators, rules ?? upstream])
  }
})

test('globs that gobwas/glob refuses are refused with the reason', () => {
  for (const [pattern, reason] of [
    ['[', /not closed/],
    ['[a', /not closed/],
    ['[!a', /not closed/],
    ['[a-', /not closed/],
    ['[a-]', /end is before its start/],
    ['[a-zA-Z]', /neither a list nor a single range/],
    ['[]', /empty class/],
    ['[]a]', /empty class/],
    ['[!]', /empty class/],
    ['[z-a]', /end is before its start/],
    ['x'.repeat(4097), /may have 4096 characters/],
    ['{'.repeat(101), /nests more than 100 braces/],
  ] as const) {
    assert.throws(
      () => compileArgoGlob(pattern),
      (error) => error instanceof InvalidInputError && reason.test(error.message),
      pattern,
    )
  }
})

test('a glob made to explode answers in time', { timeout: 2000 }, () => {
  for (const separators of ['', '/']) {
    assert.equal(compileArgoGlob(`${'*a'.repeat(40)}b`, separators)('a'.repeat(2000)), false)
    assert.equal(compileArgoGlob(`${'*a?'.repeat(40)}b`, separators)('a'.repeat(2000)), false)
    assert.equal(compileArgoGlob('*a'.repeat(200), separators)(`${'a'.repeat(4000)}b`), false)
    assert.equal(compileArgoGlob('{a,a}'.repeat(100), separators)(`${'a'.repeat(99)}b`), false)
    assert.equal(compileArgoGlob('{,a}'.repeat(900), separators)(`${'a'.repeat(500)}b`), false)
  }
})
