import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { generatedManifests } from './generated-manifests.ts'

const object = (name: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}`

test('YAML documents become one JSON text each, and empty ones none', () => {
  const text =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n---\n# only a comment\n---\nkind: ConfigMap\napiVersion: v1\nid: 12345678901234567890\n'
  assert.deepEqual(generatedManifests(text, 1e6), [
    object('a'),
    '{"kind":"ConfigMap","apiVersion":"v1","id":12345678901234567890}',
  ])
  assert.deepEqual(generatedManifests('', 1e6), [])
})

test('JSON objects may follow one another, with braces and quotes in their texts', () => {
  const odd = `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"}{\\"}","b":"\\\\"}}`
  assert.deepEqual(generatedManifests(`${object('a')}\n  ${odd}${object('b')}\n`, 1e6), [
    object('a'),
    odd,
    object('b'),
  ])
})

test('a text of many megabytes is a text', () => {
  const large = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '{\\"'.repeat(8e6) } })
  assert.deepEqual(generatedManifests(`${large}${object('b')}`, 1e9), [large, object('b')])
})

test('what is not a manifest is refused with its line', () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(
      () => generatedManifests(text, 1e6),
      (error) => error instanceof InvalidInputError && message.test(error.message),
    )
  refused('a: b\n', /failed to unmarshal manifest: output:1: a Kubernetes object needs the field kind/)
  refused('kind: [\n', /failed to unmarshal manifest: output:\d/)
  refused(`${object('a')}{"kind":`, /failed to unmarshal manifest/)
  const deep = `{"a":${'['.repeat(100_000)}1${']'.repeat(100_000)}}`
  refused(`${object('a')}${deep}`, /failed to unmarshal manifest: object 2 is nested deeper than 200 levels/)
  refused('just text', /a Kubernetes object must be an object/)
})
