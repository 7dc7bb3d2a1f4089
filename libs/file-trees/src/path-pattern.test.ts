import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compilePathPattern } from './path-pattern.ts'

for (const [pattern, reason] of [
  ['[]a]', /unescaped "\]"/],
  ['/a', /empty name/],
  ['a/', /empty name/],
  ['', /empty name/],
  ['./a', /the name "\."/],
  ['../a', /the name "\.\."/],
  ['a'.repeat(1025), /more than 1024 characters/],
] as const) {
  test(`${pattern.slice(0, 20)} is refused`, () => {
    assert.throws(
      () => compilePathPattern(pattern, 'files'),
      (error) => error instanceof InvalidInputError && reason.test(error.message),
    )
  })
}
