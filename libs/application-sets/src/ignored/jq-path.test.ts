import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readJqPath } from './jq-path.ts'
import { type PlaceStep, readJsonPointer } from './kept-place.ts'

const key = (name: string): PlaceStep => ({ kind: 'key', key: name })
const index = (at: number): PlaceStep => ({ kind: 'index', index: at })
const each: PlaceStep = { kind: 'each' }
const select = (path: PlaceStep[], isEqual: boolean, value: string | number | boolean | null): PlaceStep => ({
  kind: 'select',
  conditions: [{ path, isEqual, value }],
})

for (const [expression, place] of [
  ['.spec', [key('spec')]],
  ['.spec.source.targetRevision', [key('spec'), key('source'), key('targetRevision')]],
  [' .a."b-c".["d e"]["f\\"g"] ', [key('a'), key('b-c'), key('d e'), key('f"g')]],
  ['.a[0].b[-1]', [key('a'), index(0), key('b'), index(-1)]],
  ['.["a"][ 2 ]', [key('a'), index(2)]],
  ['.[]', [each]],
  ['.a[].b?', [key('a'), each, key('b')]],
  ['.a.[]', [key('a'), each]],
  ['.a | .b|.c', [key('a'), key('b'), key('c')]],
  [
    '.spec.source.helm.parameters[] | select(.name == "x") | .value',
    [
      key('spec'),
      key('source'),
      key('helm'),
      key('parameters'),
      each,
      select([key('name')], true, 'x'),
      key('value'),
    ],
  ],
  [
    '.spec.sources[] | select(.repoURL == "https://x").targetRevision',
    [key('spec'), key('sources'), each, select([key('repoURL')], true, 'https://x'), key('targetRevision')],
  ],
  ['.a[] | select(.b == false)[0].c', [key('a'), each, select([key('b')], true, false), index(0), key('c')]],
  ['.a[]|select(. != 1.5e1)', [key('a'), each, select([], false, 15)]],
  ['.a | select(.b[0] == null)', [key('a'), select([key('b'), index(0)], true, null)]],
] as const) {
  test(`${expression} is read`, () => {
    assert.deepEqual(readJqPath(expression), place)
  })
}

test('several comparisons are joined by and', () => {
  const [, , step] = readJqPath('.a[] | select( .b == true and .c != "and" )')
  assert.deepEqual(step, {
    kind: 'select',
    conditions: [
      { path: [key('b')], isEqual: true, value: true },
      { path: [key('c')], isEqual: false, value: 'and' },
    ],
  })
})

for (const [expression, message] of [
  ['', /at character 1: a path that begins with "\." or select/],
  ['.', /names the whole object/],
  ['. | .', /names the whole object/],
  ['..', /at character 2: a key is expected/],
  ['..a', /a key is expected/],
  ['.a.', /at character 4: a key is expected/],
  ['.a b', /at character 4: the end is expected/],
  ['.a, .b', /at character 3: the end is expected/],
  ['[0]', /a path that begins with "\." or select/],
  ['.a | select(b == 1)', /a path that begins with "\." is expected/],
  ['.a | select(.b == 1)c', /the end is expected/],
  ['.a |', /a path that begins with "\." or select/],
  ['.a[1:2]', /a whole number, a quoted key or \] is expected/],
  ['.a[.b]', /a whole number, a quoted key or \] is expected/],
  ['.a["b"', /\] is expected/],
  ['."a\\(1)"', /a string as in JSON is expected/],
  ['."a', /a key is expected|the end is expected/],
  ['.a | recurse', /a path that begins with "\." or select/],
  ['range(1e9)', /a path that begins with "\." or select/],
  ['.a | select(.b)', /"!=" is expected/],
  ['.a | select(.b[] == 1)', /a path without \[\] is expected/],
  ['.a | select(.b == .c)', /a quoted text, a number, true, false or null is expected/],
  ['.a | select(.b == "x" or .c == "y")', /"\)" is expected/],
  ['.a | select(.b | test("x"))', /"!=" is expected/],
  [`.${'a'.repeat(1_000)}`, /has more than 1000 characters/],
] as const) {
  test(`${expression.slice(0, 40)} is refused`, () => {
    assert.throws(
      () => readJqPath(expression),
      (error) => error instanceof InvalidInputError && message.test(error.message),
    )
  })
}

test('an expression of the longest length is read at once', () => {
  const milliseconds = threadMs(() => {
    for (const part of ['.a', '[]', '[0]', '."a"', '|.a', '?', ' ', '("', '\\"']) {
      const expression = `.a${part.repeat(Math.floor(990 / part.length))}`
      try {
        readJqPath(expression)
      } catch (error) {
        assert.ok(error instanceof InvalidInputError)
      }
    }
  })
  assert.ok(milliseconds < 1_000)
})

test('JSON pointers name keys and positions', () => {
  const token = (text: string): PlaceStep => ({ kind: 'token', token: text })
  assert.deepEqual(
    readJsonPointer('/spec/sources/0/a~1b~0c~01/'),
    ['spec', 'sources', '0', 'a/b~c~1', ''].map(token),
  )
  for (const [pointer, message] of [
    ['', /must begin with \//],
    ['spec', /must begin with \//],
    ['/a~2', /write ~0 for ~ and ~1 for \//],
    ['/a~', /write ~0 for ~/],
    [`/${'a'.repeat(1_000)}`, /has more than 1000 characters/],
  ] as const) {
    assert.throws(
      () => readJsonPointer(pointer),
      (error) => error instanceof InvalidInputError && message.test(error.message),
    )
  }
})
