import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unplaced } from '@wadi/fields/field-places.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { yamlValue } from '../yaml-fixture.ts'
import { parameterOf } from './parameter-fixture.ts'
import { readParameters } from './read-parameters.ts'

const read = (text: string) => readParameters(...yamlValue(text))

test('no parameters are an empty list', () => {
  for (const value of [undefined, null, []])
    assert.deepEqual(readParameters(value, unplaced('place', 'parameters')), [])
})

test('every form of a parameter is brought to one', () => {
  assert.deepEqual(
    read(`
- {name: a, string: x, title: A, colour: red}
- {name: b, value: "0.1", group: set-value}
- {name: c, value: true, section: s}
- {name: d, value: {number: 0x1F}}
- {name: e, boolean: false}
- {name: f, array: [x, 1.10, {number: 0x1F}, null]}
- {name: g, map: {k: 1.10, l: null}}
- {name: h, map: [{name: k}]}
- {name: 8080}
`),
    [
      parameterOf({
        name: 'a',
        string: 'x',
        warnings: [
          'unknown field parameters[0].colour; expected one of name, group, section, value, string, number, boolean, array, map',
        ],
      }),
      parameterOf({ name: 'b', string: '0.1', group: 'set-value', form: 'value' }),
      parameterOf({ name: 'c', string: 'true', group: 's', form: 'value' }),
      parameterOf({ name: 'd', string: '31', form: 'typed', itemType: 'number' }),
      parameterOf({ name: 'e', string: 'false', form: 'typed', itemType: 'boolean' }),
      parameterOf({ name: 'f', array: ['x', '1.10', '31', ''], form: 'typed' }),
      parameterOf({
        name: 'g',
        map: [
          ['k', '1.10'],
          ['l', ''],
        ],
      }),
      parameterOf({
        name: 'h',
        map: [['k', '']],
        form: 'typed',
        warnings: ['parameters[7].map[0]: "k" has no value and is empty'],
      }),
      parameterOf({ name: '8080' }),
    ],
  )
})

test('numbers of callers without exact ones are taken too', () => {
  const [parameter] = readParameters(
    [{ name: 'a', array: [1, 12345678901234567890n, true] }],
    unplaced('place', 'parameters'),
  )
  assert.deepEqual(parameter?.array, ['1', '12345678901234567890', 'true'])
})

for (const [text, message] of [
  ['{name: a}', 'test.yaml:1: parameters must be a list, not an object'],
  ['- {name: a, string: [x]}', 'parameters[0].string must be a string, not a list'],
  ['- {name: a, array: x}', 'parameters[0].array must be a list, not a string'],
  ['- {name: a, map: x}', 'parameters[0].map must be an object, not a string'],
  ['- {name: a, map: [x]}', 'parameters[0].map[0]: expected an item {name, value} of a map'],
  ['- {name: a, array: ["x\\0"]}', 'parameters[0].array[0]: holds a NUL character'],
  ['- {name: a}\n- {name: b, map: {k: "\\0"}}', 'test.yaml:2: parameters[1].map.k: holds a NUL character'],
] as const) {
  test(`a parameter is refused: ${message}`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof InvalidInputError && error.message.includes(message),
    )
  })
}

test('an error has the place and the path of its field, and odd names are quoted', () => {
  assert.throws(() => read('- {name: a}\n- {name: b, map: {"a b": []}}\n'), {
    message: 'test.yaml:2: parameters[1].map["a b"] must be a string, not a list',
    at: { file: 'test.yaml', line: 2 },
    path: 'parameters[1].map["a b"]',
  })
})
