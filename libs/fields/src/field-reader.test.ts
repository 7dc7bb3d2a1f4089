import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from './field-reader.ts'

const object = {
  name: 'web',
  empty: '',
  absent: null,
  size: 3,
  on: true,
  labels: { a: 'b', c: 1 },
  list: ['x', null, { y: 1 }],
  roles: [{ name: 'dev' }, 'ops'],
}

test('fields of the right type are returned, and null is a missing field', () => {
  const reader = new FieldReader('Probe')
  assert.equal(reader.string(object, 'name', ''), 'web')
  assert.equal(reader.string(object, 'absent', ''), undefined)
  assert.equal(reader.string(object, 'toString', ''), undefined)
  assert.equal(reader.boolean(object, 'on', ''), true)
  assert.deepEqual(reader.list(object, 'absent', ''), [])
  assert.equal(reader.requiredString(object, 'name', ''), 'web')
  assert.equal(reader.object(object, 'labels', ''), object.labels)
  reader.throwFindings()
})

test('everything wrong is reported at once, with its path and the type that was found', () => {
  const reader = new FieldReader('Probe p')
  reader.string(object, 'size', 'spec.')
  reader.boolean(object, 'name', 'spec.')
  reader.object(object, 'list', 'spec.')
  reader.list(object, 'labels', 'spec.')
  reader.requiredString(object, 'empty', 'spec.')
  reader.requiredString(object, 'none', 'spec.')
  reader.requiredString(object, 'on', 'spec.')
  assert.deepEqual(reader.strings(object, 'list', 'spec.'), ['x'])
  assert.deepEqual(reader.stringMap(object, 'labels', 'spec.'), new Map([['a', 'b']]))
  assert.deepEqual(reader.objects(object, 'roles', 'spec.'), [
    { item: { name: 'dev' }, path: 'spec.roles[0]' },
  ])
  const messages = [
    'spec.size must be a string, not a number',
    'spec.name must be a boolean, not a string',
    'spec.list must be an object, not a list',
    'spec.labels must be a list, not an object',
    'spec.empty is required',
    'spec.none is required',
    'spec.on must be a string, not a boolean',
    'spec.list[1] must be a string, not null',
    'spec.list[2] must be a string, not an object',
    'spec.labels.c must be a string, not a number',
    'spec.roles[1] must be an object, not a string',
  ]
  assert.deepEqual(
    reader.findings.map(({ message }) => message),
    messages,
  )
  assert.deepEqual(
    reader.findings.map(({ code }) => code),
    messages.map((message) => (message.endsWith('required') ? 'missing' : 'type')),
  )
  assert.throws(() => reader.throwFindings('\n'), new InvalidInputError(`Probe p: ${messages.join('\n')}`))
})

test('an unknown field is reported with the name that was meant, else with those that exist', () => {
  const reader = new FieldReader('Probe')
  reader.known({ nmae: 1, name: 2, other: 3, __proto__: null }, ['name', 'size'], 'spec.')
  assert.deepEqual(
    reader.findings.map(({ path, message, code }) => [path, message, code]),
    [
      ['spec.nmae', 'unknown field spec.nmae; did you mean name?', 'unknown'],
      ['spec.other', 'unknown field spec.other; expected one of name, size', 'unknown'],
    ],
  )
})
