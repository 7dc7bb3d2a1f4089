import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingsError, pathIn, placesBelow, unplaced } from './field-places.ts'

test('places below a field have its path in front, and ask for the whole of it', () => {
  const root = { subject: 'Probe', above: 'spec.', at: (steps: readonly PropertyKey[]) => placeOf(steps) }
  const items = placesBelow(root, 'plugin', 'parameters')
  assert.equal(pathIn(items, [0, 'name']), 'spec.plugin.parameters[0].name')
  assert.equal(pathIn(items, ['a b', 'c']), 'spec.plugin.parameters["a b"].c')
  assert.equal(pathIn(root, []), 'spec')
  const steps = [0, 'name']
  const error = findingsError([{ steps, path: pathIn(items, steps), message: 'is odd' }], items)
  assert.deepEqual(error.at, { file: 'plugin/parameters/0/name' })
  assert.equal(error.message, 'plugin/parameters/0/name: Probe: is odd')
})

test('a path at the root of a file is that of the field alone', () => {
  assert.equal(pathIn(unplaced(''), ['a', 1]), 'a[1]')
  assert.equal(pathIn(unplaced(''), []), '')
})

function placeOf(steps: readonly PropertyKey[]): { file: string } {
  return { file: steps.map(String).join('/') }
}
