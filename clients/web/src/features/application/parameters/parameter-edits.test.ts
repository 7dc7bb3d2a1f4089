import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { changesOf, errorOfValue, setValue, withEdit } from './parameter-edits.ts'

const parameter = (fields: MessageInitShape<typeof ParameterSchema>) => create(ParameterSchema, fields)
const text = (value: string) => ({ case: 'text', value }) as const
const replicas = parameter({
  name: 'replicas',
  type: 'number',
  default: { kind: text('2') },
  value: { kind: text('3') },
})

test('an edit sets a value, a reset removes it, and what is set already is no change', () => {
  const edited = withEdit(new Map(), replicas, text('5'))
  assert.deepEqual(setValue(replicas, edited), text('5'))
  assert.deepEqual(changesOf(edited), {
    removals: [],
    assignments: [{ target: 'replicas', whole: { kind: text('5') } }],
  })
  assert.deepEqual(changesOf(withEdit(edited, replicas, 'unset')), {
    removals: ['replicas'],
    assignments: [],
  })
  assert.deepEqual(withEdit(edited, replicas, text('3')), new Map())
})

test('a parameter may have the name of a property that every object has', () => {
  for (const name of ['constructor', 'toString', 'valueOf', '__proto__']) {
    const odd = parameter({ name })
    assert.equal(setValue(odd, new Map()), undefined)
    const edited = withEdit(new Map(), odd, text('x'))
    assert.deepEqual(setValue(odd, edited), text('x'))
    assert.deepEqual(changesOf(edited).assignments, [{ target: name, whole: { kind: text('x') } }])
  }
})

test('a table whose last row is removed sets nothing', () => {
  const labels = parameter({
    name: 'labels',
    collection: 'map',
    value: { kind: { case: 'map', value: { entries: [{ key: 'team', value: 'shop' }] } } },
  })
  assert.deepEqual(withEdit(new Map(), labels, { case: 'map', value: [] }), new Map([['labels', 'unset']]))
  const two = [
    { key: 'team', value: 'a' },
    { key: 'team', value: 'b' },
  ]
  assert.equal(errorOfValue(labels, { case: 'map', value: two }), 'The key team comes twice')
})

test('a value is checked by its type while it is typed', () => {
  assert.equal(errorOfValue(replicas, text('many')), 'many is not a number')
  assert.equal(errorOfValue(replicas, text('')), 'A number is required')
  assert.equal(errorOfValue(replicas, undefined), undefined)
  const size = parameter({ name: 'size', type: 'enum', options: ['small', 'large'], required: true })
  assert.equal(errorOfValue(size, text('huge')), 'huge is not one of small, large')
  assert.equal(errorOfValue(size, undefined), 'A value is required')
})
