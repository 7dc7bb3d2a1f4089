import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { z } from 'zod'
import { unplaced } from './field-places.ts'
import { schemaError } from './schema-findings.ts'

const schema = z.strictObject({
  name: z.string(),
  size: z.number().optional(),
  mode: z.enum(['a', 'b'], { error: 'must be a or b' }).optional(),
  parts: z.array(z.strictObject({ on: z.boolean(), labels: z.record(z.string(), z.string()) })).nullish(),
})

function errorOf(value: unknown, places = unplaced('', 'spec.')): InvalidInputError {
  const { error } = schema.safeParse(value)
  assert.ok(error)
  return schemaError(schema, value, error, places)
}

for (const [value, message] of [
  [{}, 'spec.name is required'],
  [{ name: null }, 'spec.name must be a string, not null'],
  [
    { name: [], size: 'x' },
    'spec.name must be a string, not a list\nspec.size must be a number, not a string',
  ],
  [{ name: 'n', mode: 3 }, 'spec.mode must be a or b'],
  [{ name: 'n', parts: {} }, 'spec.parts must be a list, not an object'],
  [{ name: 'n', parts: [1] }, 'spec.parts[0] must be an object, not a number'],
  [{ name: 'n', parts: [{ on: 0, labels: {} }] }, 'spec.parts[0].on must be a boolean, not a number'],
  [
    { name: 'n', parts: [{ on: true, labels: { 'a.b': 1 } }] },
    'spec.parts[0].labels.a.b must be a string, not a number',
  ],
  [{ name: 'n', sise: 1 }, 'unknown field spec.sise; did you mean size?'],
  [
    { name: 'n', parts: [{ on: true, labels: {}, colour: 1 }] },
    'unknown field spec.parts[0].colour; expected one of on, labels',
  ],
] as const) {
  test(`a schema says: ${message}`, () => {
    assert.equal(errorOf(value).message, message)
  })
}

test('the root has no path, and a single finding has its place as data', () => {
  const at = { file: 'a.yaml', line: 3 }
  const error = errorOf([], { subject: 'Probe', above: '', at: () => at })
  assert.deepEqual([error.message, error.at], ['a.yaml:3: Probe: must be an object, not a list', at])
  assert.equal(errorOf({}).path, 'spec.name')
})
