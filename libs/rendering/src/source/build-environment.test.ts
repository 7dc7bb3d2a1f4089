import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BuildEnvironment } from './build-environment.ts'

for (const [text, expected] of [
  ['plain', 'plain'],
  ['$A-${A}', 'x-x'],
  ['$$A', '$A'],
  ['$UNKNOWN!', '!'],
  ['${A', 'A'],
  ['${}', ''],
  ['$1 $.', ' $.'],
  ['$A_', ''],
] as const) {
  test(`${text} is substituted as Go does`, () => {
    assert.equal(new BuildEnvironment(new Map([['A', 'x']])).substitute(text), expected)
  })
}

test('used and unknown variables are returned apart', () => {
  const environment = new BuildEnvironment(
    new Map([
      ['A', 'x'],
      ['B', 'y'],
    ]),
  )
  environment.substitute('$B ${C} $$')
  assert.deepEqual(environment.used, ['B'])
  assert.deepEqual(environment.unknown, ['C'])
})
