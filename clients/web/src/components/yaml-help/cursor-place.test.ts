import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorPlace } from './cursor-place.ts'

/** The place of the cursor that `|` stands for. */
function placeIn(text: string) {
  const place = cursorPlace(text.replace('|', ''), text.indexOf('|'))
  return place && { ...place, present: [...place.present] }
}

const set = `spec:
  generators:
  - list:
      elements: []
  - git:
      repoURL: a
      |
      directories:
        - path: x
          exclude: true
  template:
    spec:
      project: default
`

test('a key belongs to the object of its column, whose other keys are known', () => {
  assert.deepEqual(placeIn(set), {
    path: ['spec', 'generators', '[]', 'git'],
    isValue: false,
    from: set.indexOf('|'),
    column: 6,
    present: ['repoURL', 'directories'],
  })
})

test('a list may be as far to the right as its key, or further', () => {
  for (const [text, path] of [
    ['spec:\n  generators:\n  - |', ['spec', 'generators', '[]']],
    ['spec:\n  generators:\n    - |', ['spec', 'generators', '[]']],
    ['spec:\n  a:\n  - b: 1\n    |', ['spec', 'a', '[]']],
    ['spec:\n  a:\n  - b: 1\n  |', ['spec']],
    ['a:\n- - b: 1\n    |', ['a', '[]', '[]']],
    ['spec:\n  a:\n  - b:\n      c: 1\n  - d: 1\n    |', ['spec', 'a', '[]']],
  ] as const)
    assert.deepEqual(placeIn(text)?.path, path, text)
})

test('keys of the root, quoted keys and comments are read', () => {
  assert.deepEqual(placeIn('apiVersion: v1\n# spec: x\n|')?.path, [])
  assert.deepEqual(placeIn('"spec":\n  # nothing\n\n  so|')?.path, ['spec'])
})

test('a value is known by its key', () => {
  const { path, isValue, from } = placeIn('spec:\n  goTemplate: tr|') ?? {}
  assert.deepEqual([path, isValue, from], [['spec', 'goTemplate'], true, 20])
})

test('within a flow, a quote or a comment nothing is said', () => {
  for (const text of ['spec: {a: |', 'a: "x|', '# a|', 'a: b c|'])
    assert.equal(placeIn(text), undefined, text)
})
