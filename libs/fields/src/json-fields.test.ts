import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAt, objectAt, textAt, valueAt } from './json-fields.ts'

const object = { metadata: { name: 'web', labels: { team: 'shop' } }, spec: { sources: [1, 2], replicas: 3 } }

test('fields are read by their path', () => {
  assert.equal(valueAt(object, 'spec', 'replicas'), 3)
  assert.equal(textAt(object, 'metadata', 'labels', 'team'), 'shop')
  assert.deepEqual(objectAt(object, 'metadata', 'labels'), { team: 'shop' })
  assert.deepEqual(listAt(object, 'spec', 'sources'), [1, 2])
})

test('what is missing or of another type is empty, and so are the names that every object has', () => {
  assert.equal(textAt(object, 'spec', 'replicas'), '')
  assert.equal(textAt(undefined, 'metadata'), '')
  assert.deepEqual(objectAt(object, 'spec', 'sources'), {})
  assert.deepEqual(listAt(object, 'metadata'), [])
  assert.equal(valueAt(object, 'constructor', 'name'), undefined)
})
