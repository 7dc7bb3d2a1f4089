import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectText, readTyped } from './object-text.ts'

const set = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'shops', resourceVersion: '3', uid: 'x', generation: 2 },
  spec: { generators: [{ list: { elements: [{ name: 'on', port: 8080 }] } }] },
}

test('an object is edited as YAML without what the server owns, and read back as it was', () => {
  const text = objectText(set)
  assert.match(text, /^metadata:\n {2}name: shops\nspec:$/m)
  assert.match(text, /name: "on"/)
  assert.deepEqual(readTyped(text, 'ApplicationSet'), { value: { ...set, metadata: { name: 'shops' } } })
})

test('what cannot be read names its line, and there is one object', () => {
  assert.match(readTyped('a: 1\nb: [\n', 'ApplicationSet').error ?? '', /^Line [23]: /)
  for (const text of ['', '[]', 'a: 1\n---\nb: 2\n'])
    assert.match(readTyped(text, 'ApplicationSet').error ?? '', /is one object/)
})
