import assert from 'node:assert/strict'
import { test } from 'node:test'
import { by, byCodeUnits, byKey, byName } from './by-name.ts'

test('strings are ordered by code units, whatever the locale, and equal ones are equal', () => {
  const strings = ['b', 'a', 'B', 'ä', '10', '9', '']
  assert.deepEqual(strings.toSorted(byCodeUnits), strings.toSorted())
  assert.deepEqual(strings.toSorted(byCodeUnits), ['', '10', '9', 'B', 'a', 'b', 'ä'])
  assert.equal(byCodeUnits('a', 'a'), 0)
})

test('things with one name and entries with one key keep their order', () => {
  const things = [
    { name: 'b', at: 0 },
    { name: 'a', at: 1 },
    { name: 'b', at: 2 },
    { name: 'a', at: 3 },
  ]
  const places = (sorted: readonly { at: number }[]) => sorted.map(({ at }) => at)
  assert.deepEqual(places(things.toSorted(byName)), [1, 3, 0, 2])
  assert.deepEqual(places(things.toSorted(by(({ name }) => name))), [1, 3, 0, 2])
  const entries = things.map(({ name, at }): [string, number] => [name, at])
  assert.deepEqual(
    entries.toSorted(byKey).map(([, at]) => at),
    [1, 3, 0, 2],
  )
})
