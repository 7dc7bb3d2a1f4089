import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeTemplates } from './merge-templates.ts'

test('what the generator leaves empty comes from the set, maps field by field and lists whole', () => {
  const own = {
    metadata: { name: '', labels: { a: 'own', empty: '' } },
    spec: {
      project: 'own',
      sources: [{ path: 'own' }],
      info: [],
      syncPolicy: { automated: { prune: false } },
    },
  }
  const base = {
    metadata: { name: 'base', labels: { a: 'base', b: 'base', empty: 'filled' } },
    spec: {
      project: 'base',
      sources: [{ path: 'one' }, { path: 'two' }],
      info: [{ name: 'x' }],
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
  }
  assert.deepEqual(mergeTemplates(own, base), {
    metadata: { name: 'base', labels: { a: 'own', b: 'base', empty: 'filled' } },
    spec: {
      project: 'own',
      sources: [{ path: 'own' }],
      info: [{ name: 'x' }],
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
  })
})

test('free-form values are taken whole', () => {
  const template = (valuesObject: unknown) => ({ spec: { source: { helm: { valuesObject } } } })
  assert.deepEqual(mergeTemplates(template({ a: 1 }), template({ a: 2, b: 3 })), template({ a: 1 }))
  assert.deepEqual(mergeTemplates(template(null), template({ b: 3 })), template({ b: 3 }))
})
