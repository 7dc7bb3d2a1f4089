import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationFields, sourceHydratorFields } from '@wadi/resources/application/source-fields.ts'
import { fieldAt, fieldsOf, valuesOf } from './kind-fields.ts'

test('the editor knows the fields that Wadi reads', () => {
  const known = (type: string) => Object.keys(fieldsOf(type) ?? {}).toSorted()
  const namesOf = (fields: object) => Object.keys(fields).toSorted()
  assert.deepEqual(known('SourceHydrator'), namesOf(sourceHydratorFields))
  assert.deepEqual(known('DrySource'), namesOf(Object(sourceHydratorFields['drySource'])))
  assert.deepEqual(known('ApplicationDestination'), namesOf(destinationFields))
})

test('fields are found by their paths, through lists and maps', () => {
  const path = ['spec', 'generators', '[]', 'matrix', 'generators', '[]', 'git', 'directories', '[]', 'path']
  assert.equal(fieldAt('ApplicationSet', path)?.type, 'string')
  assert.equal(fieldAt('Application', ['metadata', 'labels', 'team'])?.type, 'string')
  assert.equal(fieldAt('Application', ['spec', 'constructor']), undefined)
  assert.equal(fieldAt('AppProject', ['spec', '[]']), undefined)
})

test('values are those that the text of a field names', () => {
  const valuesAt = (...path: string[]) => valuesOf(fieldAt('ApplicationSet', path) ?? { type: '', text: '' })
  assert.deepEqual(valuesAt('spec', 'goTemplate'), ['true', 'false'])
  assert.deepEqual(valuesAt('spec', 'strategy', 'type'), ['AllAtOnce', 'RollingSync'])
  assert.deepEqual(valuesAt('spec', 'templatePatch'), [])
})
