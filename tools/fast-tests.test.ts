import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastTests } from './fast-tests.ts'

function module(file: string, ...specifiers: string[]) {
  return { file, imports: specifiers.map((specifier) => ({ line: 1, specifier, typeOnly: false })) }
}

test('a test file is fast when neither it nor a fixture that it imports starts a program', () => {
  const modules = [
    module('libs/a/src/pure.test.ts', './pure.ts', 'node:assert/strict'),
    // What the product starts is the business of its own tests.
    module('libs/a/src/pure.ts', 'node:child_process'),
    module('libs/a/src/program.test.ts', 'node:child_process'),
    module('libs/a/src/git.test.ts', './git-fixture.ts'),
    module('libs/a/src/git-fixture.ts', '@wadi/testing/git-repository.ts'),
    module('libs/testing/src/git-repository.ts', 'simple-git'),
    module('integration-tests/src/pure.test.ts'),
  ]
  assert.deepEqual(fastTests(modules), ['libs/a/src/pure.test.ts'])
})
