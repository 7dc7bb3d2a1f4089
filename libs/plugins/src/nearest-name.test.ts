import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName } from './nearest-name.ts'

test('a misspelt name is known by at most two letters, whatever their case', () => {
  const known = ['discover', 'fileName', 'tooltip', 'title']
  const cases = [
    ['discovery', 'discover'],
    ['filename', 'fileName'],
    ['toltipp', 'tooltip'],
    ['titel', 'title'],
    ['labels', undefined],
    ['', undefined],
  ] as const
  for (const [written, name] of cases) assert.equal(nearestName(written, known), name)
})
