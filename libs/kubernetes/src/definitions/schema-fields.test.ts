import assert from 'node:assert/strict'
import { test } from 'node:test'
import { droppedFields, schemaFields } from './schema-fields.ts'

const text = { type: 'string' }
const schema = {
  properties: {
    name: text,
    groups: { type: 'array', items: { properties: { phase: text, tools: { additionalProperties: text } } } },
    places: { additionalProperties: { properties: { file: text } } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
}
const fields = ['name', 'groups', 'groups[].phase', 'groups[].tools', 'places', 'places[].file', 'any']

test('the fields of a schema are paths, those in lists and maps too', () => {
  assert.deepEqual(schemaFields(schema), fields)
})

test('a field that a schema does not know is named, and nothing within it', () => {
  assert.deepEqual(droppedFields(schema, fields), [])
  assert.deepEqual(droppedFields(schema, ['any.thing[].else', 'groups[].tools[]']), [])
  const asked = ['new', 'new.part', 'new[].part', 'newer', 'groups[].head', 'places[].line', 'name.part']
  assert.deepEqual(droppedFields(schema, asked), [
    'new',
    'newer',
    'groups[].head',
    'places[].line',
    'name.part',
  ])
})
