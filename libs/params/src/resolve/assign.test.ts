import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import * as fc from 'fast-check'
import { applySetValues, inferScalar, parseSetValues, setLocated, setPath } from './assign.ts'
import { readLocatedYaml } from '../yaml/located-yaml.ts'
import { partAt } from '../values/located.ts'
import { randomMap, randomPath, randomValue, wreck } from '../values/random-value-fixture.ts'
import { fromJson, jsonText } from '../values/value-json.ts'
import { isValueMap } from '../values/value.ts'
import type { Value } from '../values/value.ts'

const read = (yaml: string): Value => readLocatedYaml(yaml, 'v.yaml').value

test('a value is set with the maps on its way, merged into a map, and replaces anything else', () => {
  const cases: [string, string[], Value, string][] = [
    ['{}', ['a', 'b'], 1, '{"a":{"b":1}}'],
    ['a: {x: 1}', ['a'], new Map([['y', 2]]), '{"a":{"x":1,"y":2}}'],
    ['a: {x: 1}', ['a'], [1], '{"a":[1]}'],
    ['a: [1]', ['a'], new Map([['y', 2]]), '{"a":{"y":2}}'],
    ['a: {x: {k: 1}}', [], read('a: {x: {l: 2}}'), '{"a":{"x":{"k":1,"l":2}}}'],
    ['a: 1', ['a', ''], 2, ''],
    ['a: 1', [''], 2, '{"a":1,"":2}'],
  ]
  for (const [yaml, path, value, expected] of cases) {
    if (expected === '') assert.throws(() => setPath(read(yaml), path, value), InvalidInputError)
    else assert.equal(jsonText(setPath(read(yaml), path, value)), expected)
  }
})

test('a path through something else than an object is refused with the message of Zarf', () => {
  const cases: [string, string[], Value, string][] = [
    ['t: 1', ['t', 'x'], 2, 'conflict at "t", expected map but got uint64'],
    ['t: -1', ['t', 'x'], 2, 'conflict at "t", expected map but got int64'],
    ['t: {u: text}', ['t', 'u', 'x'], 2, 'conflict at "t.u", expected map but got string'],
    ['t: null', ['t', 'x'], 2, 'conflict at "t", expected map but got <nil>'],
    ['t: 1.5', ['t', 'x'], 2, 'conflict at "t", expected map but got float64'],
    ['t: true', ['t', 'x'], 2, 'conflict at "t", expected map but got bool'],
    ['t: 1', [], 2, 'cannot merge non-map value at root path: it is uint64'],
  ]
  for (const [yaml, path, value, message] of cases) {
    assert.throws(() => setPath(read(yaml), path, value), new InvalidInputError(message))
  }
})

test('setting changes and shares nothing that was given', () => {
  fc.assert(
    fc.property(randomMap, randomPath, randomValue, (tree, path, value) => {
      const before = jsonText([tree, value])
      let result: Value
      try {
        result = setPath(tree, path, value)
      } catch (error) {
        assert.ok(error instanceof InvalidInputError)
        return
      }
      const at = { file: 'set' }
      assert.deepEqual(setLocated({ value: tree, at: { file: 'tree' } }, path, { value, at }).value, result)
      const part = partAt({ value: result, at }, path)
      if (!isValueMap(value)) assert.deepEqual(part?.value, value)
      wreck(result)
      assert.equal(jsonText([tree, value]), before)
    }),
  )
})

test('what is set knows its own place, and the rest keeps its', () => {
  const tree = readLocatedYaml('a: {x: 1, y: 1}', 'v.yaml')
  const set = setLocated(tree, ['a', 'x'], { value: 2, at: { file: 'zarf-config.yaml', line: 9 } })
  assert.equal(jsonText(set.value), '{"a":{"x":2,"y":1}}')
  assert.equal(partAt(set, ['a', 'x'])?.at.line, 9)
  assert.equal(partAt(set, ['a', 'y'])?.at.file, 'v.yaml')
})

test('the type of a set value is read from its text', () => {
  const cases: [string, Value][] = [
    ['true', true],
    ['FALSE', false],
    ['7', 7],
    ['-7', -7],
    ['0', 0],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', '9223372036854775808'],
    ['0755', '0755'],
    ['5.5', '5.5'],
    ['1e3', '1e3'],
    ['null', 'null'],
    ['', ''],
    ['{1,2}', '{1,2}'],
    ["'7'", '7'],
    ["'", "'"],
  ]
  for (const [text, value] of cases) assert.equal(inferScalar(text), value, text)
})

test('settings are read in their order, with or without their dot, several to a text', () => {
  assert.deepEqual(parseSetValues(['a=1,.b.c=x', 'd={1,2}', '"e=1,2",f=a=b', 'a.l[0]=9']), [
    { path: ['a'], value: 1 },
    { path: ['b', 'c'], value: 'x' },
    { path: ['d'], value: '{1,2}' },
    { path: ['e'], value: '1,2' },
    { path: ['f'], value: 'a=b' },
    { path: ['a', 'l[0]'], value: 9 },
  ])
})

test('a text that is not a setting is refused', () => {
  for (const text of ['=3', ' =3']) {
    const message = `${JSON.stringify(text)} must be formatted as key=value`
    assert.throws(() => parseSetValues([text]), new InvalidInputError(message))
  }
  assert.throws(() => parseSetValues(['a']), new InvalidInputError('"a" must be formatted as key=value'))
  assert.throws(
    () => parseSetValues(['a=1,b=2,c']),
    new InvalidInputError('"c" must be formatted as key=value'),
  )
  assert.throws(
    () => parseSetValues(['a="x",b=2']),
    new InvalidInputError('"a=\\"x\\",b=2": quotes must enclose a whole KEY=VALUE'),
  )
})

test('settings apply in their order, and one through the scalar of another is refused each time', () => {
  const at = { file: 'zarf-config.yaml', line: 4 }
  const applied = applySetValues(parseSetValues(['a.b=1', 'a.c=2', 'a.b=3']), at)
  assert.equal(jsonText(applied.value), jsonText(fromJson({ a: { b: 3, c: 2 } })))
  assert.deepEqual(partAt(applied, ['a', 'c'])?.at, at)
  for (let round = 0; round < 10; round++) {
    assert.throws(
      () => applySetValues(parseSetValues(['a=1,a.b=2']), at),
      new InvalidInputError(
        'zarf-config.yaml:4: set value .a.b: conflict at "a", expected map but got uint64',
      ),
    )
  }
})
