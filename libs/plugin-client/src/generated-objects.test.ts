import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatedObjects } from './generated-objects.ts'

const read = (...texts: string[]) => generatedObjects(texts, 'tool', 5)

test('objects, lists, YAML documents and nothing at all are read', async () => {
  assert.deepEqual(
    await read(
      '{"apiVersion":"v1", "kind":"ConfigMap","data":{"__proto__":"x"},"n":12345678901234567890}',
      '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"A"},{"apiVersion":"v1","kind":"B"}]}',
      'apiVersion: v1\nkind: C\n---\n---\napiVersion: v1\nkind: D\n',
      'null',
      '',
    ),
    [
      '{"apiVersion":"v1","kind":"ConfigMap","data":{"__proto__":"x"},"n":12345678901234567890}',
      '{"apiVersion":"v1","kind":"A"}',
      '{"apiVersion":"v1","kind":"B"}',
      '{"apiVersion":"v1","kind":"C"}',
      '{"apiVersion":"v1","kind":"D"}',
    ],
  )
})

test('what is not an object is refused with plugin, place and reason', async () => {
  const fine = '{"apiVersion":"v1","kind":"A"}'
  const refused = (text: string, message: RegExp) =>
    assert.rejects(read(fine, text), { name: 'InvalidInputError', message })
  await refused('[1]', /^plugin tool, manifest 2:1: a Kubernetes object must be an object, not a list/)
  await refused('{"apiVersion":"v1"}', /^plugin tool, manifest 2:1: .*needs the field kind/)
  await refused('{"kind":"A"}', /needs the field apiVersion/)
  await refused('{"a":', /^plugin tool, manifest 2:2: unexpected end of the stream within a flow collection$/)
  await refused('usage: tool', /needs the field kind/)
})

test('more objects than allowed are refused', async () => {
  const list = JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: Array.from({ length: 6 }, () => ({ apiVersion: 'v1', kind: 'A' })),
  })
  await assert.rejects(read(list), {
    name: 'ResourceExhaustedError',
    message: 'plugin tool generated more than 5 objects',
  })
})

test('an object that is nested too deep is refused like every other error', async () => {
  const deep = (levels: number) =>
    read(`{"apiVersion":"v1","kind":"A","b":${'['.repeat(levels)}1.0e1${']'.repeat(levels)}}`)
  assert.equal((await deep(150)).length, 1)
  for (const levels of [300, 100_000]) {
    await assert.rejects(deep(levels), {
      name: 'ResourceExhaustedError',
      message: /^plugin tool, manifest 1:1: nested deeper than the limit of 200/,
    })
  }
})
