import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuePath } from '@wadi/params/values/set-name.ts'
import { valueLeaves } from './value-leaves.ts'
import { emptyMap, plainValues } from './value-node.ts'

test('the list of the schema is not searched for each value of a chart', () => {
  const origin = { kind: 'git', file: 'values.yaml', line: 1 } as const
  const values = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`own${index}`, 1]))
  let searches = 0
  const includes = (): boolean => {
    searches += 1
    return false
  }
  const keys = Object.assign(['listed', 'own1'], { includes })
  const hints = { keysBelow: ({ length }: ValuePath) => (length === 0 ? keys : []), partsAt: () => [] }
  const defaults = plainValues(values, () => origin)
  const { leaves } = valueLeaves(defaults, emptyMap(origin), hints, 200)
  assert.deepEqual([leaves.length, searches], [101, 0])
})
