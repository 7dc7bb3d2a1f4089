import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { PathPattern } from './path-pattern.ts'

function matches(pattern: string, path: string): boolean {
  const compiled = new PathPattern(pattern)
  let state = compiled.start()
  for (const name of path.split('/')) state = compiled.next(state, name, () => undefined)
  return compiled.accepts(state)
}

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
  ['**/c', 'c', true],
  ['**/c', 'a/b/c', true],
  ['a/**', 'a', true],
  ['a/**', 'ab/c', false],
  ['a/**/d', 'a/d', true],
  ['a/**/d', 'a/b/c/d', true],
  ['a/**/**/d', 'a/b/d', true],
  ['a/**/d', 'a/b/c', false],
  ['a**', 'abc', true],
  ['a**', 'a/b', false],
] as const) {
  test(`${pattern} ${expected ? 'matches' : 'does not match'} ${path}`, () => {
    assert.equal(matches(pattern, path), expected)
  })
}

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
  ['/a', /empty name/],
  ['a/', /empty name/],
  ['', /empty name/],
  ['./a', /the name "\."/],
  ['../a', /the name "\.\."/],
  ['a'.repeat(1025), /more than 1024 characters/],
] as const) {
  test(`${pattern.slice(0, 20)} is refused`, () => {
    assert.throws(
      () => new PathPattern(pattern),
      (error) => error instanceof InvalidInputError && reason.test(error.message),
    )
  })
}
