import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaAllows } from './schema-allows.ts'
import { schemaFacts } from './schema-facts.ts'
import { schemaParts } from './schema-parts.ts'

const factsOf = (schema: unknown, path: readonly (string | number)[]) =>
  schemaFacts(schemaParts(schema).at(path))
const of = (value: unknown) => factsOf({ properties: { value } }, ['value'])

for (const [what, schema, facts] of [
  [
    'an integer',
    { type: 'integer', minimum: 1, maximum: 9 },
    { type: 'number', limits: { wholeNumber: true, minimum: 1, maximum: 9 } },
  ],
  [
    'a limit of draft 4',
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    { type: 'number', limits: { exclusiveMinimum: 0 } },
  ],
  [
    'null beside a type',
    { type: ['string', 'null'], format: 'uri' },
    { type: 'string', limits: { format: 'uri' } },
  ],
  ['several types', { type: ['string', 'integer'] }, { type: 'string' }],
  ['a choice of types', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, { type: 'string' }],
  [
    'a choice beside null',
    { oneOf: [{ type: 'null' }, { enum: ['a', 'b'] }] },
    { type: 'enum', options: ['a', 'b'] },
  ],
  ['an enum of numbers', { enum: [1, 2, null] }, { type: 'enum', options: ['1', '2'] }],
  ['a constant', { const: 'x' }, { type: 'enum', options: ['x'] }],
  ['an enum of objects', { enum: [{}, 'x'] }, {}],
  [
    'an enum without end',
    { enum: Array.from({ length: 501 }, (_, index) => `v${index}`) },
    { type: 'string' },
  ],
  [
    'lengths and a pattern',
    { type: 'string', minLength: 1, maxLength: 5, pattern: '^(a+)+$' },
    { type: 'string', limits: { minLength: 1, maxLength: 5, pattern: '^(a+)+$' } },
  ],
  ['a pattern that nobody can read', { pattern: 'x'.repeat(501) }, {}],
  [
    'a default, which Helm does not apply',
    { type: 'boolean', default: true },
    { type: 'boolean', suggestion: 'true' },
  ],
  [
    'parts that all hold',
    { allOf: [{ type: 'integer', minimum: 1 }, { minimum: 3 }] },
    { type: 'number', limits: { wholeNumber: true, minimum: 3 } },
  ],
  [
    'keywords of wrong types',
    { type: 5, enum: 'x', minimum: '1', pattern: {}, allOf: {}, description: [] },
    {},
  ],
  ['no schema', false, {}],
] as const) {
  test(`the form knows of a value: ${what}`, () => {
    assert.deepEqual(of(schema), { tooltip: '', ...facts })
  })
}

test('references inside of a schema are followed, those out of it and back to themselves are not', () => {
  const schema = {
    $defs: {
      port: { description: 'Where it answers', type: 'integer' },
      'a/b': { $ref: '#/$defs/port' },
      tree: { properties: { below: { $ref: '#/$defs/tree' } } },
      self: { $ref: '#/$defs/self' },
    },
    properties: {
      port: { $ref: '#/$defs/a~1b' },
      outside: { $ref: 'https://example.com/schema.json' },
      file: { $ref: 'file:///etc/passwd#/a' },
      tree: { $ref: '#/$defs/tree' },
      self: { $ref: '#/$defs/self' },
    },
  }
  assert.deepEqual(factsOf(schema, ['port']), {
    tooltip: 'Where it answers',
    type: 'number',
    limits: { wholeNumber: true },
  })
  for (const key of ['outside', 'file', 'self']) assert.deepEqual(factsOf(schema, [key]), { tooltip: '' })
  assert.deepEqual(factsOf(schema, ['tree', 'below', 'below', 'below']), { tooltip: '' })
})

test('items of lists, patterns of keys and additional values have facts', () => {
  const schema = {
    properties: {
      list: { items: { properties: { port: { type: 'integer' } } } },
      pair: { prefixItems: [{ type: 'string' }], items: { type: 'boolean' } },
      labels: { patternProperties: { '^x-': { type: 'boolean' } }, additionalProperties: { type: 'string' } },
    },
  }
  assert.equal(factsOf(schema, ['list', 7, 'port']).type, 'number')
  assert.deepEqual(
    [factsOf(schema, ['pair', 0]).type, factsOf(schema, ['pair', 1]).type],
    ['string', 'boolean'],
  )
  assert.deepEqual(
    [factsOf(schema, ['labels', 'x-a']).type, factsOf(schema, ['labels', 'b']).type],
    ['boolean', 'string'],
  )
})

test('a schema that doubles with each reference ends the reading of it', () => {
  const levels = Array.from({ length: 60 }, (_, level) => [
    `d${level}`,
    { allOf: Array.from({ length: 50 }, () => ({ properties: { x: { $ref: `#/$defs/d${level + 1}` } } })) },
  ])
  const parts = schemaParts({ $defs: Object.fromEntries(levels), $ref: '#/$defs/d0' })
  for (let depth = 1; depth < 30; depth += 1) parts.at(Array.from({ length: depth }, () => 'x'))
  assert.ok(parts.at(Array.from({ length: 30 }, () => 'x')).length <= 2_500)
})

for (const [what, patterns, keys] of [
  ['many for many keys', Array.from({ length: 2_000 }, (_, index) => `^x${index}-`), 20_000],
  ['many of a large size', Array.from({ length: 50_000 }, (_, index) => `^(a|b)*a.{900}${index}$`), 2],
  ['one that takes long for a long key', ['^(a|b)*a(a|b){900}$'], 20_000],
] as const) {
  test(`patterns of keys end the reading of a schema: ${what}`, () => {
    const patternProperties = Object.fromEntries(patterns.map((pattern) => [pattern, { type: 'integer' }]))
    const parts = schemaParts({ patternProperties })
    for (let key = 0; key < keys; key += 1) parts.at([`${'ab'.repeat(400)}${key}`])
    assert.equal(parts.isCut(), true)
    const several = Array.from({ length: 500 }, () => ({ patternProperties }))
    assert.equal(schemaAllows({ allOf: several }, ['ab'.repeat(400)]), true)
  })
}

test('a pattern that is tested for many keys is compiled once', () => {
  const pattern = `^x-(${'a?'.repeat(400)}b)+$`
  const parts = schemaParts({ patternProperties: { [pattern]: { type: 'boolean' } } })
  for (let key = 0; key < 2_000; key += 1) assert.equal(schemaFacts(parts.at([`x-${key}`])).type, undefined)
  assert.equal(schemaFacts(parts.at(['x-b'])).type, 'boolean')
  assert.equal(parts.isCut(), false)
})
