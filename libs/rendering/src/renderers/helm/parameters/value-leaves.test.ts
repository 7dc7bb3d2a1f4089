import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueLeaves } from './value-leaves.ts'
import { emptyMap, plainValues } from './value-node.ts'

// Searching the list of the schema for each value compares ten thousand million keys.
test('a chart and a schema with very many keys are put together in one pass', () => {
  const origin = { kind: 'git', file: 'values.yaml', line: 1 } as const
  const values = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`own${index}`, 1]))
  const keys = Array.from({ length: 500_000 }, (_, index) => `listed${index}`)
  const hints = { keysBelow: () => keys, partsAt: () => [] }
  const { leaves } = valueLeaves(
    plainValues(values, () => origin),
    emptyMap(origin),
    hints,
    20_000,
  )
  assert.equal(leaves.length, 20_001)
})
