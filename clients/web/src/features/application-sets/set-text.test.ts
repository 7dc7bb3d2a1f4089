import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setText, typedSet } from './set-text.ts'

const set = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'shops', resourceVersion: '3' },
  spec: { generators: [{ list: { elements: [{ name: 'on', port: 8080 }] } }] },
}

test('a set is edited as YAML without what the server owns, and read back as it was', () => {
  const text = setText(set)
  assert.match(text, /^metadata:\n {2}name: shops\nspec:$/m)
  assert.match(text, /name: "on"/)
  assert.deepEqual(typedSet(text), { ...set, metadata: { name: 'shops' } })
})

test('what cannot be read names its line, and a set is one object', () => {
  assert.throws(() => typedSet('a: 1\nb: [\n'), {
    name: 'InvalidInputError',
    message: /^ApplicationSet:[23]/,
  })
  for (const text of ['', '[]', 'a: 1\n---\nb: 2\n']) assert.throws(() => typedSet(text), /is one object/)
})
