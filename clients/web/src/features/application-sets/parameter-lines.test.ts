import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parameterLines } from './parameter-lines.ts'

test('parameters are lines, those within others by their path', () => {
  assert.deepEqual(
    parameterLines({
      name: 'shop',
      path: { basename: 'web', segments: ['apps', 'web'] },
      values: {},
      count: 3,
    }),
    ['name: shop', 'path.basename: web', 'path.segments: ["apps","web"]', 'values: {}', 'count: 3'],
  )
})
