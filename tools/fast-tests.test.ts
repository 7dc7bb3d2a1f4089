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
    module('clients/a/src/bundle.test.ts', 'vite'),
    module('libs/a/src/git-fixture.ts', '@wadi/testing/git-repository.ts'),
    module('libs/testing/src/git-repository.ts', 'simple-git'),
    module('integration-tests/src/pure.test.ts'),
  ]
  assert.deepEqual(fastTests(modules), ['libs/a/src/pure.test.ts'])
})

test('a test file is not fast when it loads code that opens threads or containment, by any way', () => {
  const modules = [
    module('libs/a/src/threads.test.ts', 'node:worker_threads'),
    module('libs/a/src/program.test.ts', './program.ts'),
    module('libs/a/src/program.ts', '@wadi/b/pool.ts'),
    module('libs/b/src/pool.ts', 'node:worker_threads'),
    module('libs/b/src/fixture.test.ts', './pool-fixture.ts'),
    module('libs/b/src/pool-fixture.ts', './pool.ts'),
    module('libs/containment/src/containment.ts'),
    module('libs/containment/src/containment.test.ts', './containment.ts'),
    module('libs/b/src/pure.test.ts', './pure.ts'),
    module('libs/b/src/pure.ts'),
    typesOnly(module('libs/b/src/types.test.ts', './pool.ts')),
  ]
  assert.deepEqual(fastTests(modules), ['libs/b/src/pure.test.ts', 'libs/b/src/types.test.ts'])
})

function typesOnly({ file, imports }: ReturnType<typeof module>) {
  return { file, imports: imports.map((one) => ({ ...one, typeOnly: true })) }
}
