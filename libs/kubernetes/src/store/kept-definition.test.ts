import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutDescriptions } from './kept-definition.ts'

test('a schema is kept without its descriptions, but not without what only looks like one', () => {
  const schema = {
    description: 'a shop',
    required: ['description'],
    default: { description: 'a value' },
    properties: {
      description: { type: 'string', description: 'a property' },
      items: { type: 'array', items: { description: 'one', type: 'string', enum: ['a'] } },
    },
  }
  assert.deepEqual(withoutDescriptions(schema), {
    required: ['description'],
    default: { description: 'a value' },
    properties: {
      description: { type: 'string' },
      items: { type: 'array', items: { type: 'string', enum: ['a'] } },
    },
  })
})
