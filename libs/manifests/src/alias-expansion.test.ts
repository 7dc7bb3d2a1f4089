import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { boundAliasExpansion } from './alias-expansion.ts'
import { defaultManifestLimits } from './parse-manifests.ts'

const bound = (text: string, maxNodes = defaultManifestLimits.maxNodes) =>
  boundAliasExpansion(text, 'bomb.yaml', { ...defaultManifestLimits, maxNodes })

/** Each level repeats the one before ten times. */
function bomb(levels: number): string {
  const lines = Array.from({ length: levels }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x]'
      : `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
  )
  return `${lines.join('\n')}\n`
}

test('aliases that come to more nodes than the limit are refused with their place', () => {
  bound(bomb(6))
  assert.throws(() => bound(bomb(9)), {
    name: 'ResourceExhaustedError',
    message: /^bomb\.yaml:7: more nodes than the limit of 2000000, aliases expanded/,
  })
})

for (const [what, text] of [
  ['a key that is written twice', `a: 1\na: 2\n${bomb(9)}`],
  [
    'a mapping that is merged',
    bomb(9)
      .replaceAll('[x]', '{x: y}')
      .replace(/a1: .*/, 'a1: &a1 {<<: *a0, b: [*a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0]}'),
  ],
  ['another document before', `--- &a\n- x\n---\n${bomb(9)}`],
] as const) {
  test(`${what} hides no bomb`, () => assert.throws(() => bound(text), ResourceExhaustedError))
}

test('a node is counted each time that it is seen', () => {
  const text = 'list: &list [one, two]\nagain: *list\n'
  bound(text, 9)
  assert.throws(() => bound(text, 8), ResourceExhaustedError)
})

test('an alias that repeats nothing is rejected with its place', () => {
  const text = `--- &a\n- *b\n---\n${bomb(2)}`
  assert.throws(
    () => bound(text),
    new InvalidInputError('bomb.yaml:2: the anchor b is not defined before its alias'),
  )
})

test('a text without anchors or aliases is not read as YAML', () => {
  bound('a: [unclosed & b* c')
  assert.throws(() => bound('a: [*x, &y'), /^InvalidInputError: bomb\.yaml:/)
})
