import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { readLocatedYaml } from '../yaml/located-yaml.ts'
import { locationAt } from '../values/located.ts'
import { validate } from './schema.ts'
import { fromJson } from '../values/value-json.ts'
import { Float } from '../values/value.ts'

function errors(
  schema: JsonValue,
  value: JsonValue,
  skipRequired = false,
  maxMilliseconds = 600_000,
): string[] {
  const options = { skipRequired, where: 'values.schema.json', maxMilliseconds }
  return validate(fromJson(schema), fromJson(value), options).map(({ message }) => message)
}

test('errors are reported path first, with the message of Zarf', () => {
  const cases: [JsonValue, JsonValue, string[]][] = [
    [
      { properties: { a: { properties: { b: { type: 'string' } } } } },
      { a: { b: 1 } },
      ['a.b: Invalid type. Expected: string, given: integer'],
    ],
    [{ type: ['string', 'null'] }, 1.5, ['(root): Invalid type. Expected: string/null, given: number']],
    [{ required: ['w'] }, {}, ['(root): w is required']],
    [{ properties: { a: { minimum: 2 } } }, { a: 1 }, ['a: Must be greater than or equal to 2']],
    [{ properties: { a: { exclusiveMaximum: 1 } } }, { a: 1 }, ['a: Must be less than 1']],
    [{ properties: { v: { pattern: '^v' } } }, { v: 'x' }, ["v: Does not match pattern '^v'"]],
    [{ properties: { e: { enum: ['x', 1] } } }, { e: 'q' }, ['e: e must be one of the following: "x", 1']],
    [{ properties: { e: { const: 5 } } }, { e: 'q' }, ['e: e does not match: 5']],
    [
      { additionalProperties: false, properties: { a: {} } },
      { a: 1, b: 2 },
      ['(root): Additional property b is not allowed'],
    ],
    [{ properties: { l: { minItems: 2 } } }, { l: [1] }, ['l: Array must have at least 2 items']],
    [
      { properties: { l: { items: { type: 'string' } } } },
      { l: ['a', null] },
      ['l.1: Invalid type. Expected: string, given: null'],
    ],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, ['(root): Must have at most 1 properties']],
    [
      { properties: { s: { minLength: 3 } } },
      { s: 'ab' },
      ['s: String length must be greater than or equal to 3'],
    ],
    [{ properties: { n: { multipleOf: 2 } } }, { n: 3 }, ['n: Must be a multiple of 2']],
    [{ properties: { l: { uniqueItems: true } } }, { l: [1, 1] }, ['l: array items[0,1] must be unique']],
    [{ not: {} }, {}, ['(root): Must not validate the schema (not)']],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, ['(root): Has a dependency on b']],
    [
      { properties: { 'a/b~c': { type: 'null' } } },
      { 'a/b~c': 1 },
      ['a/b~c: Invalid type. Expected: null, given: integer'],
    ],
  ]
  for (const [schema, value, messages] of cases) assert.deepEqual(errors(schema, value), messages)
})

test('all errors are reported at once, each with its place', () => {
  const values = readLocatedYaml('a: 1\nlist:\n  - ok\n  - 7\n', 'values.yaml')
  const schema = fromJson({ properties: { a: { type: 'string' }, list: { items: { type: 'string' } } } })
  const options = {
    skipRequired: false,
    where: 's',
    locate: (path: readonly string[]) => locationAt(values, path),
  }
  assert.deepEqual(validate(schema, values.value, options), [
    {
      path: ['a'],
      message: 'a: Invalid type. Expected: string, given: integer',
      at: { file: 'values.yaml', line: 1, column: 1 },
    },
    {
      path: ['list', '1'],
      message: 'list.1: Invalid type. Expected: string, given: integer',
      at: { file: 'values.yaml', line: 4, column: 5 },
    },
  ])
})

test('missing properties are no error when they may come later', () => {
  const schema = { required: ['w'], properties: { a: { type: 'string' } } }
  assert.deepEqual(errors(schema, { a: 1 }, true), ['a: Invalid type. Expected: string, given: integer'])
})

test('a schema is read by the draft that it names', () => {
  const drafts: [string, JsonValue, JsonValue, string[]][] = [
    [
      'http://json-schema.org/draft-04/schema#',
      { id: 'x', properties: { a: { minimum: 5, exclusiveMinimum: true } } },
      { a: 5 },
      ['a: Must be greater than 5'],
    ],
    [
      'http://json-schema.org/draft-06/schema#',
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      [
        '(root): String length must be less than or equal to 1',
        '(root): Property name of "ab" does not match',
      ],
    ],
    [
      'http://json-schema.org/draft-07/schema#',
      JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}'),
      { a: 1 },
      ['(root): b is required', '(root): Must validate "then" as "if" was valid'],
    ],
    [
      'https://json-schema.org/draft/2019-09/schema',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      ['(root): Has a dependency on b'],
    ],
    [
      'https://json-schema.org/draft/2020-12/schema',
      { properties: { l: { prefixItems: [{ type: 'null' }] } }, unevaluatedProperties: false },
      { l: [1], b: 2 },
      ['l.0: Invalid type. Expected: null, given: integer', '(root): Unevaluated property b is not allowed'],
    ],
  ]
  for (const [$schema, schema, value, messages] of drafts) {
    assert.deepEqual(errors({ $schema, ...Object(schema) }, value), messages, $schema)
  }
})

test('a schema that names no draft is read as draft 7, or as draft 4 when it can only be that', () => {
  assert.deepEqual(errors({ properties: { a: { const: 1 } } }, { a: 2 }), ['a: a does not match: 1'])
  assert.deepEqual(errors({ properties: { a: { minimum: 5, exclusiveMinimum: true } } }, { a: 5 }), [
    'a: Must be greater than 5',
  ])
  assert.deepEqual(errors({ $schema: 'https://example.com/own', type: 'string' }, 1), [
    '(root): Invalid type. Expected: string, given: integer',
  ])
})

test('formats are checked on texts alone, unknown ones not at all', () => {
  const schema = { properties: { n: { format: 'email' }, s: { format: 'email' }, u: { format: 'semver' } } }
  assert.deepEqual(errors(schema, { n: 5, s: 'no', u: 'x' }), ["s: Does not match format 'email'"])
})

test('defaults are not applied, and keywords of other dialects have no effect', () => {
  assert.deepEqual(errors({ required: ['a'], properties: { a: { default: 1 } } }, {}), [
    '(root): a is required',
  ])
  assert.deepEqual(errors({ nullable: true, $async: true, id: 'x', type: 'object' }, {}), [])
  assert.deepEqual(errors({ properties: { nullable: { type: 'string' } } }, { nullable: 1 }), [
    'nullable: Invalid type. Expected: string, given: integer',
  ])
})

test('a float without a fraction is an integer to a schema, and a large integer is one too', () => {
  const schema = fromJson({ items: { type: 'integer' } })
  const options = { skipRequired: false, where: 's' }
  assert.deepEqual(validate(schema, [new Float(1), 2n ** 63n], options), [])
})

test('references inside the schema work, and one out of it is an error with its place', () => {
  const definitions = { port: { type: 'integer' } }
  assert.deepEqual(errors({ definitions, properties: { p: { $ref: '#/definitions/port' } } }, { p: 'x' }), [
    'p: Invalid type. Expected: integer, given: string',
  ])
  assert.throws(
    () => errors({ properties: { a: { $ref: './x.json' } } }, {}),
    new InvalidInputError(
      'values.schema.json: properties: a: schema contains an external "$ref" pointer "./x.json"; only internal references ("#/...") are supported: put what it refers to under $defs or definitions of the same schema',
    ),
  )
  assert.deepEqual(errors({ properties: { $ref: { type: 'string' } } }, { $ref: 1 }), [
    '$ref: Invalid type. Expected: string, given: integer',
  ])
})

test('keys that objects have already are there only when the value has them', () => {
  assert.deepEqual(errors({ properties: { constructor: { type: 'string' } }, required: ['toString'] }, {}), [
    '(root): toString is required',
  ])
  const value: JsonValue = JSON.parse('{"__proto__": 5}')
  assert.deepEqual(errors({ additionalProperties: { type: 'string' } }, value), [
    '__proto__: Invalid type. Expected: string, given: integer',
  ])
})

test('patterns are read as Go reads them', () => {
  assert.deepEqual(errors({ pattern: '^[\\w-.]+$' }, 'a-b.c'), [])
  assert.deepEqual(errors({ pattern: '(?i)^AB$' }, 'ab'), [])
  assert.deepEqual(errors({ pattern: '^a(?i:B)[[:digit:]]\\z' }, 'ab1'), [])
  assert.deepEqual(errors({ pattern: '^\\s$' }, '\u00a0'), ["(root): Does not match pattern '^\\s$'"])
  assert.deepEqual(errors({ pattern: '^.$' }, '😀'), [])
  assert.deepEqual(errors({ patternProperties: { '\\A[a-z]+\\z': { type: 'string' } } }, { a: 1 }), [
    'a: Invalid type. Expected: string, given: integer',
  ])
})

test('each pattern of a schema is checked', () => {
  const schema = {
    properties: { a: { pattern: '^a' }, b: { pattern: '^b' } },
    patternProperties: { '^c': false },
  }
  assert.deepEqual(errors(schema, { a: 'a', b: 'b' }), [])
  assert.deepEqual(errors(schema, { a: 'b', b: 'a' }), [
    "a: Does not match pattern '^a'",
    "b: Does not match pattern '^b'",
  ])
  assert.equal(errors(schema, { c: 1 }).length, 1)
})

test('a schema that is none is refused with what is wrong in it', () => {
  const cases: [JsonValue, RegExp][] = [
    [[], /a schema must be an object$/],
    [{ type: 'foo' }, /invalid JSON schema: type: type must be one of the following: "array"/],
    [{ pattern: '[' }, /invalid JSON schema: regular expression "\[": missing closing \]: `\[`$/],
    [
      { pattern: '^(?!prod)' },
      /invalid JSON schema: regular expression ".*": invalid or unsupported Perl syntax: `\(\?!`$/,
    ],
    [{ pattern: '(abcde){1000}' }, /more than 4096 characters, its repetitions written out/],
    [{ pattern: 'x'.repeat(5000) }, /invalid JSON schema: regular expression .*more than 4096 characters/],
    [{ $ref: '#/definitions/none' }, /invalid JSON schema: can't resolve reference #\/definitions\/none/],
    [{ $ref: '#' }, /the references of the schema lead too deep, or back to where they are, without end$/],
  ]
  for (const [schema, message] of cases) {
    assert.throws(
      () => errors(schema, {}),
      (error: Error) => error instanceof InvalidInputError && message.test(error.message),
      String(message),
    )
  }
})

test('schemas that would take forever are ended', () => {
  const doubled = (keyword: string): JsonValue => ({
    $ref: '#/definitions/n50',
    definitions: Object.fromEntries(
      Array.from({ length: 51 }, (_, level): [string, JsonValue] => {
        const below = { $ref: `#/definitions/n${level - 1}` }
        return [`n${level}`, level === 0 ? { type: 'string' } : { [keyword]: [below, below] }]
      }),
    ),
  })
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    assert.throws(
      () => errors(doubled(keyword), 1),
      new InvalidInputError("values.schema.json: the schema's parts are applied more than 1000000 times"),
    )
  }
  assert.deepEqual(errors({ pattern: '^(a+)+$' }, `${'a'.repeat(2000)}b`), [
    "(root): Does not match pattern '^(a+)+$'",
  ])
  const texts = Array.from({ length: 500 }, (_, index) =>
    createHash('sha512').update(String(index)).digest('hex').repeat(30),
  )
  assert.throws(
    () => errors({ items: { pattern: '([0-7].{500}){2}[x-z]$' } }, texts, false, 100),
    new InvalidInputError(
      "values.schema.json: checking took longer than 100 ms; simplify the schema's patterns and references",
    ),
  )
})

test('schemas that nobody writes are refused before they are read', () => {
  const deep = Array.from({ length: 300 }).reduce<JsonValue>((inner) => ({ not: inner }), {})
  const large = { enum: Array.from({ length: 200_000 }, (_, index) => index) }
  assert.throws(
    () => errors(deep, 1),
    new ResourceExhaustedError('values.schema.json: the schema is nested deeper than 200 levels'),
  )
  assert.throws(
    () => errors(large, 1),
    new ResourceExhaustedError('values.schema.json: the schema has more than 100000 nodes'),
  )
})

test('names and texts of a schema never become code', () => {
  const name = '"];globalThis.polluted=1;//\u2028`${globalThis.polluted=1}'
  const schema = {
    properties: { [name]: { enum: [name], pattern: '\\/;globalThis.polluted=1' } },
    patternProperties: { [`^\\Q${name}`]: { const: name } },
    required: [name],
  }
  assert.deepEqual(errors(schema, {}), [`(root): ${name} is required`])
  assert.equal(errors(schema, { [name]: 'x' }).length, 3)
  assert.equal(Object.hasOwn(globalThis, 'polluted'), false)
})
