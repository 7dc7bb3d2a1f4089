import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parameterOf } from './parameter-fixture.ts'
import { prefixedVariables, unprefixedVariables } from './parameter-variables.ts'

function pairs(variables: readonly { name: string; value: string }[]): string[] {
  return variables.map(({ name, value }) => `${name}=${value}`)
}

const all = parameterOf({
  name: 'my.name',
  group: 'set-value',
  string: 's',
  array: ['x', 'z'],
  map: [
    ['k.b', '1'],
    ['', 'none'],
    ['K-B', '2'],
    ['a', '3'],
  ],
})

test("Argo CD's variables carry every value, in the order in which the last one applies", () => {
  assert.deepEqual(pairs(prefixedVariables([all])), [
    'PARAM_MY_NAME=s',
    'PARAM_MY_NAME_K_B=2',
    'PARAM_MY_NAME_A=3',
    'PARAM_MY_NAME_K_B=1',
    'PARAM_MY_NAME_0=x',
    'PARAM_MY_NAME_1=z',
  ])
  assert.deepEqual(prefixedVariables([parameterOf({ name: 'a', array: [], map: [] })]), [])
})

test('names are escaped character by character as Go does it', () => {
  const names = ['straße', 'ıſ\u212A', '😀x', 'ﬁ', 'é_1', 'a b\n', '1_direction']
  assert.deepEqual(
    prefixedVariables(names.map((name) => parameterOf({ name, string: '' }))).map(({ name }) => name),
    ['STRA_E', 'IS_', '_X', '_', '__1', 'A_B_', '1_DIRECTION'].map((name) => `PARAM_${name}`),
  )
})

test("the proposal's variables have the group in front, and no digit", () => {
  const variables = unprefixedVariables([
    all,
    parameterOf({ name: '1_DIRECTION', string: 'left' }),
    parameterOf({ name: 'a', group: '2nd', string: 'g' }),
    parameterOf({ name: '_b', group: 'main', string: 'm' }),
    parameterOf({ name: 'A', string: 'first' }),
    parameterOf({ name: 'a', string: 'last' }),
  ])
  assert.deepEqual(pairs(variables), [
    'SET_VALUE_MY_NAME=s',
    'SET_VALUE_MY_NAME_K_B=2',
    'SET_VALUE_MY_NAME_A=3',
    'SET_VALUE_MY_NAME_K_B=1',
    'SET_VALUE_MY_NAME_0=x',
    'SET_VALUE_MY_NAME_1=z',
    '_1_DIRECTION=left',
    '_2ND_A=g',
    '_B=m',
    'A=first',
    'A=last',
  ])
})
