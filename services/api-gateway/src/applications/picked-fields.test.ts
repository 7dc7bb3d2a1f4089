import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldPicker } from './picked-fields.ts'

const object = {
  kind: 'x',
  metadata: { name: 'a', labels: { b: 'c' } },
  spec: { list: [1], deep: { d: 1, e: 2 } },
}

test('without fields the object is whole', () => {
  assert.equal(fieldPicker([])(object), object)
})

test('parts are left as they stand, whole ones before parts of them', () => {
  const fields = ['metadata.name', 'spec.deep.d', 'spec.list', 'spec.absent', 'kind.none', 'metadata']
  assert.deepEqual(fieldPicker(fields)(object), {
    metadata: object.metadata,
    spec: { deep: { d: 1 }, list: [1] },
  })
})

test('names that JavaScript knows are names like others', () => {
  assert.deepEqual(fieldPicker(['__proto__.x', 'constructor'])(object), {})
})

test('a path that cannot be one, and too many, are refused', () => {
  for (const fields of [['a..b'], [''], ['.a'], Array.from({ length: 101 }, () => 'a')]) {
    assert.throws(() => fieldPicker(fields), { name: 'InvalidInputError' })
  }
})
