import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { applyTemplatePatch, readTemplatePatch } from './template-patch.ts'

const application = {
  metadata: { name: 'a', finalizers: ['one'], labels: { keep: 'k', drop: 'd' } },
  spec: {
    project: 'p',
    source: { helm: { valueFiles: ['a.yaml', 'b.yaml'], valuesObject: { replicas: 1, tags: ['x'] } } },
    syncPolicy: { automated: { prune: true } },
  },
}

function apply(text: string): Record<string, unknown> {
  return applyTemplatePatch(application, readTemplatePatch(text) ?? {})
}

test('maps are merged, null removes, lists are replaced and finalizers united', () => {
  const text = `
metadata:
  labels: {drop: null, new: fresh}
  finalizers: [two, one]
spec:
  source:
    helm:
      valueFiles: [c.yaml]
      valuesObject: {tags: [z], extra: {deep: true}}
  syncPolicy: null
operation: {sync: {}}
`
  assert.deepEqual(apply(text), {
    metadata: { name: 'a', finalizers: ['one', 'two'], labels: { keep: 'k', new: 'fresh' } },
    spec: {
      project: 'p',
      source: {
        helm: { valueFiles: ['c.yaml'], valuesObject: { replicas: 1, tags: ['z'], extra: { deep: true } } },
      },
    },
    operation: { sync: {} },
  })
  assert.deepEqual(application.metadata.finalizers, ['one'])
})

test('JSON is a patch too, and an empty text changes nothing', () => {
  assert.deepEqual(apply('{"spec":{"project":"q","source":null,"syncPolicy":{"automated":null}}}')['spec'], {
    project: 'q',
    syncPolicy: {},
  })
  assert.equal(readTemplatePatch(''), undefined)
  assert.equal(readTemplatePatch('null'), undefined)
})

test('a nested null does not become a value where nothing was', () => {
  assert.deepEqual(apply('spec: {info: {a: null, b: {c: null}}}')['spec'], {
    ...application.spec,
    info: { b: {} },
  })
})

test('directives replace and delete maps', () => {
  assert.deepEqual(apply('metadata: {labels: {$patch: replace, only: o}}')['metadata'], {
    ...application.metadata,
    labels: { only: 'o' },
  })
  assert.deepEqual(apply('spec: {source: {helm: {$patch: delete}}}')['spec'], {
    ...application.spec,
    source: { helm: {} },
  })
})

for (const [text, message] of [
  [
    'spec:\n',
    /^invalid templatePatch: spec is null, which would remove all of it; put the key itself into the condition$/,
  ],
  ['{"metadata": null}', /^invalid templatePatch: metadata is null/],
  ['- a', /^invalid templatePatch: it must be an object, not a list$/],
  ['{"a": ', /^invalid templatePatch: templatePatch:1: /],
  ['status: {}', /^invalid templatePatch: unknown field status; expected one of apiVersion, kind/],
  ['spec: {$patch: other}', /^invalid templatePatch: spec\.\$patch: merge, replace or delete, not "other"/],
  ['spec: {$retainKeys: [a]}', /^invalid templatePatch: spec\.\$retainKeys: this directive is not supported/],
] as const) {
  test(`${text} is refused`, () => {
    assert.throws(
      () => apply(text),
      (error) => error instanceof InvalidInputError && message.test(error.message),
    )
  })
}
