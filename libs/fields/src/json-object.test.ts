import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJsonObject } from './json-object.ts'

test('objects are neither lists nor null nor scalars', () => {
  for (const object of [{}, { a: 1 }, Object.create(null)]) assert.equal(isJsonObject(object), true)
  for (const other of [[], [{}], null, undefined, '', 'text', 0, 1n, true])
    assert.equal(isJsonObject(other), false)
})

test('an object keeps the type of its fields, and has unknown ones where none are known', () => {
  const typed: string | readonly string[] | { [key: string]: boolean } | null = pick({ a: true })
  const fields: { [key: string]: boolean } = isJsonObject(typed) ? typed : {}
  assert.equal(fields['a'], true)
  const untyped: unknown = pick({ b: 'text' })
  const unknown: Record<string, unknown> = isJsonObject(untyped) ? untyped : {}
  assert.equal(unknown['b'], 'text')
})

/** Returns the value, whose type the compiler cannot narrow to. */
function pick<Value>(value: Value): Value | string | null {
  return value
}
