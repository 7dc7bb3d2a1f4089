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

test('letters may be swapped, and short names are known by one letter alone', () => {
  const known = ['get', 'sync', 'delete', 'override']
  const cases = [
    ['snyc', 'sync'],
    ['Delet', 'delete'],
    ['overide', 'override'],
    ['ovverridee', 'override'],
    ['gte', 'get'],
    ['gxx', undefined],
    ['xyz', undefined],
    ['d'.repeat(1000), undefined],
  ] as const
  for (const [written, name] of cases) assert.equal(nearestName(written, known), name)
})

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
    assert.equal(nearestName(name, known), near)
  })
}
