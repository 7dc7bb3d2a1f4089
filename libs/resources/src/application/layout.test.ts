import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isDefaultLayout, layoutOf, readLayoutSetting } from './layout.ts'

test('an Application without annotations has the layout of its project, and without one that of Argo CD', () => {
  assert.deepEqual(layoutOf({}, {}), { files: 'one-file', crds: 'include' })
  assert.deepEqual(layoutOf({}, { crds: 'omit' }), { files: 'one-file', crds: 'omit' })
  assert.equal(isDefaultLayout(layoutOf({}, {})), true)
  assert.equal(isDefaultLayout(layoutOf({}, { crds: 'omit' })), false)
})

test('the annotations of an Application take precedence over those of its project, each by itself', () => {
  const project = { files: 'file-per-object', crds: 'separate' } as const
  assert.deepEqual(layoutOf({ 'wadi.dev/layout': 'one-file' }, project), {
    files: 'one-file',
    crds: 'separate',
  })
})

test('a word that is not a layout is an error that lists the layouts', () => {
  const reader = new FieldReader('AppProject web')
  const annotations = { 'wadi.dev/layout': 'kustomize', 'wadi.dev/crds': 'omit' }
  assert.deepEqual(readLayoutSetting(annotations, reader), { crds: 'omit' })
  assert.throws(() => reader.throwFindings(), {
    message:
      'AppProject web: annotation wadi.dev/layout is "kustomize"; give one-file, as-argo-cd or file-per-object',
  })
})
