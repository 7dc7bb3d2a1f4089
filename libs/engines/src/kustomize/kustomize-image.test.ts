import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImages } from './kustomize-image.ts'

for (const [text, expected] of [
  ['nginx:1.2', { name: 'nginx', newTag: '1.2' }],
  ['nginx@sha256:abc', { name: 'nginx', digest: 'sha256:abc' }],
  ['nginx=example.com/x:2', { name: 'nginx', newName: 'example.com/x', newTag: '2' }],
  ['nginx=example.com/x@sha256:1', { name: 'nginx', newName: 'example.com/x', digest: 'sha256:1' }],
  ['nginx:1.2@sha256:abc', { name: 'nginx', newTag: '1.2', digest: 'sha256:abc' }],
  ['nginx=x:1@sha256:abc', { name: 'nginx', newName: 'x', newTag: '1', digest: 'sha256:abc' }],
  ['nginx=*:3', { name: 'nginx', newName: 'kept', newTag: '3' }],
] as const) {
  test(`the image ${text} is set like kustomize edit set image`, () => {
    assert.deepEqual(setImages([{ name: 'nginx', newName: 'kept', newTag: '0' }], [text]), [expected])
  })
}

test('a port is part of the name, not a tag', () => {
  assert.deepEqual(setImages([], ['nginx=reg:5000/x']), [{ name: 'nginx', newName: 'reg:5000/x' }])
})

test('other images stay with all their fields, of several entries of a name the first one, and all are sorted by name', () => {
  const suffixed = { name: 'z', tagSuffix: '-alpine' }
  assert.deepEqual(setImages([suffixed, { name: 'z', newTag: '1' }], ['a:2']), [
    { name: 'a', newTag: '2' },
    suffixed,
  ])
})

test('a text without tag, digest or new name is refused', () => {
  for (const text of ['nginx', '=x', 'nginx='])
    assert.throws(() => setImages([], [text]), /kustomize\.images/)
})
