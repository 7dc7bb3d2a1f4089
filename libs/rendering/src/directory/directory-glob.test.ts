import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryGlob } from './directory-glob.ts'

for (const [pattern, path, expected] of [
  ['*.yaml', 'a/b.yaml', true],
  ['*.yaml', 'a.yml', false],
  ['{a,b/*}.yaml', 'b/c.yaml', true],
  ['{a,{b,c}}', 'c', true],
  ['?.yaml', 'ab.yaml', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['**/x', 'a/b/x', true],
  ['', 'a', false],
  ['🦆*', '🦆.yaml', true],
] as const) {
  test(`the pattern ${pattern} ${expected ? 'matches' : 'does not match'} ${path}`, () => {
    assert.equal(directoryGlob(pattern)(path), expected)
  })
}

test('a pattern made to backtrack takes little time', () => {
  const matches = directoryGlob('*a'.repeat(200))
  const started = performance.now()
  assert.equal(matches(`${'a'.repeat(4000)}b`), false)
  assert.ok(performance.now() - started < 1000)
})

test('unbalanced brackets and too many alternatives are refused', () => {
  assert.throws(() => directoryGlob('{a'), /without "}"/)
  assert.throws(() => directoryGlob('[a'), /without "\]"/)
  assert.throws(() => directoryGlob('{a,b}'.repeat(10)), /more than 64 alternatives/)
})
