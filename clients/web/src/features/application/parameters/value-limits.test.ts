import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type ParameterLimitsSchema,
  ParameterSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { errorOfLimits, limitsText } from './value-limits.ts'

const of = (type: string, limits: MessageInitShape<typeof ParameterLimitsSchema>, suggestion = '') =>
  create(ParameterSchema, { name: 'value', type, limits, suggestion })

for (const [parameter, right, wrong, error] of [
  [of('number', { wholeNumber: true }), '3', '3.5', '3.5 is not a whole number'],
  [of('number', { minimum: 1, maximum: 9 }), '1', '0', '0 is less than 1'],
  [of('number', { minimum: 1, maximum: 9 }), '9', '10', '10 is more than 9'],
  [of('number', { exclusiveMinimum: 0 }), '0.1', '0', '0 is not more than 0'],
  [of('number', { exclusiveMaximum: 5 }), '4.9', '5', '5 is not less than 5'],
  [of('number', { multipleOf: 0.1 }), '0.3', '0.35', '0.35 is not a multiple of 0.1'],
  [of('number', { multipleOf: 0.01 }), '1234567.89', '0.005', '0.005 is not a multiple of 0.01'],
  [of('string', { minLength: 2 }), '😀😀', '😀', 'At least 2 characters are required'],
  [of('string', { maxLength: 2 }), 'ab', 'abc', '3 characters are more than 2'],
] as const) {
  test(`a value beyond its limits is an error while it is typed: ${error}`, () => {
    assert.equal(errorOfLimits(parameter, right), undefined)
    assert.equal(errorOfLimits(parameter, wrong), error)
  })
}

test('no pattern is run on the page, and its text is a part of the hint', () => {
  const hostile = of('string', { pattern: '^(a+)+$', format: 'uri' }, 'x')
  assert.equal(errorOfLimits(hostile, `${'a'.repeat(60)}!`), undefined)
  assert.equal(limitsText(hostile), 'Of the format uri; matches ^(a+)+$; the schema suggests x')
  assert.equal(
    limitsText(of('number', { wholeNumber: true, minimum: 1, maximum: 9 })),
    'A whole number; from 1 to 9',
  )
})
