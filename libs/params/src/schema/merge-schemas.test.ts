import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { mergeSchemas } from './schema.ts'
import { fromJson, jsonText, toJson } from '../values/value-json.ts'

const draft = 'http://json-schema.org/draft-07/schema#'
const named = (schema: JsonValue, where: string) => ({ where, schema: fromJson(schema) })

test('the importing schema wins, and what only the imported one has is added', () => {
  const parent = {
    $schema: draft,
    title: 'parent',
    required: ['a', 'b'],
    properties: { a: { type: 'string', properties: { x: { type: 'string' } } } },
    definitions: { port: { type: 'integer' } },
  }
  const child = {
    $schema: draft,
    title: 'child',
    description: 'added',
    required: ['b', 'c'],
    properties: { a: { type: 'integer', minimum: 1, properties: { x: { type: 'null' }, y: {} } }, c: {} },
    definitions: { port: { type: 'string' }, host: {} },
    additionalProperties: false,
  }
  const merged = mergeSchemas([named(parent, 'parent'), named(child, 'child')])
  assert.deepEqual(toJson(merged), {
    $schema: draft,
    title: 'parent',
    required: ['a', 'b', 'c'],
    properties: {
      a: { type: 'string', properties: { x: { type: 'string' }, y: {} }, minimum: 1 },
      c: {},
    },
    definitions: { port: { type: 'integer' }, host: {} },
    description: 'added',
    additionalProperties: false,
  })
})

test('one schema stays as it is, without a draft too', () => {
  assert.equal(jsonText(mergeSchemas([named({ type: 'object' }, 'only')])), '{"type":"object"}')
})

test('schemas to merge must all declare the same draft', () => {
  const first = named({ $schema: draft }, 'one.json')
  assert.throws(
    () => mergeSchemas([first, named({}, 'two.json')]),
    new InvalidInputError(
      'schema two.json: missing "$schema" version declaration; all schemas being merged must specify a version',
    ),
  )
  assert.throws(
    () => mergeSchemas([first, named({ $schema: 'http://json-schema.org/draft-04/schema#' }, 'two.json')]),
    new InvalidInputError(
      `cannot merge schemas with different versions: accumulated schema uses "${draft}" but two.json declares "http://json-schema.org/draft-04/schema#"`,
    ),
  )
})

test('merging leaves the schemas as they were', () => {
  const schemas = [
    named({ $schema: draft, required: ['a'], properties: { a: {} } }, 'one'),
    named({ $schema: draft, required: ['b'], properties: { b: {} } }, 'two'),
  ]
  const before = schemas.map(({ schema }) => jsonText(schema))
  mergeSchemas(schemas)
  assert.deepEqual(
    schemas.map(({ schema }) => jsonText(schema)),
    before,
  )
})
