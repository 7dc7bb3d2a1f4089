import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkSchemaReferences } from './schema-references.ts'

const check = (schema: unknown) =>
  checkSchemaReferences(JSON.stringify(schema, undefined, 1), 'web/values.schema.json')
const inPlace = (schema: object) => ({ properties: { a: schema } })

for (const reference of [
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'http://127.0.0.1:26666/schema.json',
  'https://example.com/schema.json',
  '//example.com/schema.json',
  '../../../x.json',
  'etc/passwd',
  './other.json',
  '/etc/passwd',
  'other.json#/a',
  'ftp://example.com/x',
  'http://json-schema.org/other',
  'http://json-schema.org/draft-07/schema/../../x',
]) {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef', '$schema']) {
    test(`${keyword} ${reference} is refused where it stands`, () => {
      assert.throws(
        () => check(inPlace({ type: 'string', [keyword]: reference })),
        (error) => {
          assert.ok(error instanceof InvalidInputError)
          const start = `web/values.schema.json:5: ${keyword} "${reference}" leads out of the schema`
          assert.equal(error.message.slice(0, start.length), start)
          return true
        },
      )
    })
  }
}

test('a reference that an id moves elsewhere is refused', () => {
  assert.throws(
    () => check({ $id: 'https://example.com/a/b.json', ...inPlace({ $ref: 'c.json' }) }),
    /leads out/,
  )
  assert.throws(
    () => check({ properties: { a: { $id: 'http://127.0.0.1/', items: { $ref: 'x' } } } }),
    /leads out/,
  )
})

for (const [what, schema] of [
  ['a fragment', { $defs: { b: { type: 'string' } }, ...inPlace({ $ref: '#/$defs/b' }) }],
  ['an anchor', { $defs: { b: { $anchor: 'b' } }, ...inPlace({ $ref: '#b' }) }],
  [
    'the schema by its id',
    { $id: 'https://example.com/a.json', ...inPlace({ $ref: 'https://example.com/a.json#/x' }) },
  ],
  [
    'a part by its id',
    { $id: 'https://example.com/a.json', $defs: { b: { $id: 'b.json' } }, ...inPlace({ $ref: 'b.json' }) },
  ],
  [
    'a draft',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...inPlace({ $ref: 'https://json-schema.org/draft/2020-12/schema' }),
    },
  ],
  ['no version', { $schema: 'http://json-schema.org/schema#' }],
  ['a name', inPlace({ $ref: 'urn:example:a' })],
  ['a property of that name', { properties: { $ref: { type: 'string' } } }],
] as const) {
  test(`a schema that names ${what} is taken`, () => check(schema))
}

test('what is not valid JSON is refused', () => {
  assert.throws(
    () => checkSchemaReferences('{"a": ', 'values.schema.json'),
    /^InvalidInputError: values\.schema\.json: not JSON/,
  )
})
