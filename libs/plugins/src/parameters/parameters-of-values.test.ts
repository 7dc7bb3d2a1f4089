import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unplaced } from '@wadi/fields/field-places.ts'
import { Float, type Value } from '@wadi/params/values/value.ts'
import { parameterOf } from './parameter-fixture.ts'
import { exactValue, parametersOfValues } from './parameters-of-values.ts'
import { readParameters } from './read-parameters.ts'

test('values become parameters of the kind that they have, and deeper ones their JSON', () => {
  const values = new Map<string, Value>([
    ['text', 'a "b"'],
    ['count', 3],
    ['ratio', new Float(1)],
    ['big', 9_007_199_254_740_993n],
    ['on', true],
    ['none', null],
    ['list', ['a', 1, false]],
    ['empty', []],
    [
      'map',
      new Map<string, Value>([
        ['__proto__', 'x'],
        ['n', 2],
      ]),
    ],
    ['deep', new Map<string, Value>([['a', [1, new Map([['b', 'c']])]]])],
    ['rows', [[1], [2]]],
  ])
  assert.deepEqual(parametersOfValues(values), [
    parameterOf({ name: 'text', string: 'a "b"' }),
    parameterOf({ name: 'count', string: '3' }),
    parameterOf({ name: 'ratio', string: '1.0' }),
    parameterOf({ name: 'big', string: '9007199254740993' }),
    parameterOf({ name: 'on', string: 'true' }),
    parameterOf({ name: 'none', string: 'null' }),
    parameterOf({ name: 'list', array: ['a', '1', 'false'] }),
    parameterOf({ name: 'empty', array: [] }),
    parameterOf({
      name: 'map',
      map: [
        ['__proto__', 'x'],
        ['n', '2'],
      ],
    }),
    parameterOf({ name: 'deep', string: '{"a":[1,{"b":"c"}]}' }),
    parameterOf({ name: 'rows', string: '[[1],[2]]' }),
  ])
})

test('a list of parameters among values keeps the digits of its numbers', () => {
  const item = new Map<string, Value>([
    ['name', 'a'],
    ['string', 9_007_199_254_740_993n],
  ])
  const read = readParameters(exactValue([item]), unplaced('place', 'parameters'))
  assert.deepEqual(
    read.map(({ name, string }) => [name, string]),
    [['a', '9007199254740993']],
  )
})
