import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearName } from './near-name.ts'

const known = ['set', 'set_values', 'values', 'components', 'flavor']

for (const [name, near] of [
  ['value', 'values'],
  ['setValues', 'set_values'],
  ['set-value', 'set_values'],
  ['Set', 'set'],
  ['component', 'components'],
  ['flavour', 'flavor'],
  ['zzz', undefined],
  ['timeout', undefined],
  ['', undefined],
  ['v'.repeat(100_000), undefined],
] as const) {
  test(`near to ${JSON.stringify(name.slice(0, 20))} is ${near ?? 'nothing'}`, () => {
    assert.equal(nearName(name, known), near)
  })
}
