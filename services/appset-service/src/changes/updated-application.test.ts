import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Resource, ResourceMetadata } from '@wadi/resources/resource.ts'
import { type ApplicationSet, parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import { updatedApplication } from './updated-application.ts'

type Fields = Record<string, unknown>

function setWith(spec: Fields = {}): ApplicationSet {
  return parseApplicationSet({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set' },
    spec: { template: {}, generators: [{ list: {} }], ...spec },
  })
}

function application(metadata: Partial<ResourceMetadata>, parts: Fields = {}): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app', namespace: 'argocd', ...metadata },
    spec: { project: 'p' },
    ...parts,
  }
}

/** Returns the stored spec of an Application that exists with one spec when another one is generated. */
function specAfter(existing: Fields, generated: Fields, ...ignored: Fields[]): unknown {
  const set = setWith({ ignoreApplicationDifferences: ignored })
  return updatedApplication(application({}, { spec: existing }), application({}, { spec: generated }), set)
    .spec
}

test('spec, labels, annotations and finalizers become the generated ones, the rest stays', () => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }]
  const owned = { uid: 'x', resourceVersion: '7', generation: 2, ownerReferences, custom: 'kept' }
  const existing = application(
    { ...owned, labels: { a: 'old', b: 'old' }, annotations: { a: 'old' }, finalizers: ['old'] },
    { spec: { project: 'p', old: true }, status: { sync: 'x' }, operation: { sync: {} } },
  )
  const generated = application({ labels: { a: 'new' }, finalizers: ['new'] }, { spec: { project: 'q' } })
  assert.deepEqual(updatedApplication(existing, generated, setWith()), {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app', namespace: 'argocd', ...owned, labels: { a: 'new' }, finalizers: ['new'] },
    spec: { project: 'q' },
    status: { sync: 'x' },
    operation: { sync: {} },
  })
})

test('an Application that is as generated stays deeply equal', () => {
  const existing = application({ uid: 'x', labels: { a: 'b' } }, { spec: { project: 'p', info: [] } })
  const generated = application({ labels: { a: 'b' } }, { spec: { info: [], project: 'p' } })
  assert.deepEqual(updatedApplication(existing, generated, setWith()), existing)
})

test('preserved labels and annotations keep their values, those of Argo CD in every set', () => {
  const annotations = {
    'notified.notifications.argoproj.io': '{}',
    'argocd.argoproj.io/refresh': 'normal',
    'argocd.argoproj.io/refresh-timestamp': '2026-01-01T00:00:00Z',
    'argocd.argoproj.io/hydrate': 'normal',
    'argocd.argoproj.io/hydrate-timestamp': '2026-01-01T00:00:00Z',
    own: 'old',
    other: 'old',
  }
  const existing = application({ annotations, labels: { own: 'old', other: 'old' } })
  const generated = application({ annotations: { own: 'new' }, labels: { own: 'new', fresh: 'new' } })
  const preservedFields = { annotations: ['own'], labels: ['own', 'fresh', 'absent', 'constructor'] }
  const { other: _, ...preserved } = annotations
  const { metadata } = updatedApplication(existing, generated, setWith({ preservedFields }))
  assert.deepEqual([metadata.annotations, metadata.labels], [preserved, { own: 'old', fresh: 'new' }])
  const plain = updatedApplication(existing, application({}), setWith()).metadata
  assert.deepEqual(Object.keys(plain.annotations ?? {}), Object.keys(annotations).slice(0, 5))
  assert.equal(plain.labels, undefined)
})

test('finalizers of deletion hooks stay', () => {
  const hooks = [
    'pre-delete-finalizer.argocd.argoproj.io',
    'post-delete-finalizer.argocd.argoproj.io/cleanup',
  ]
  const existing = application({ finalizers: ['old', ...hooks, 'x/pre-delete-finalizer.argocd.argoproj.io'] })
  const finalizersFor = (finalizers?: string[]) =>
    updatedApplication(existing, application(finalizers ? { finalizers } : {}), setWith()).metadata.finalizers
  assert.deepEqual(finalizersFor(['new', hooks[0] ?? '']), ['new', ...hooks])
  assert.deepEqual(finalizersFor(), hooks)
})

test('ignored differences stay, for the Application that they name', () => {
  const existing = { project: 'p', a: 1, b: 1, c: 1, d: 1 }
  const generated = { project: 'p', a: 2, b: 2, c: 2, d: 2 }
  assert.deepEqual(
    specAfter(
      existing,
      generated,
      { jsonPointers: ['/spec/a'] },
      { name: 'app', jqPathExpressions: ['.spec.b'] },
      { name: 'other', jsonPointers: ['/spec/c'] },
    ),
    { project: 'p', a: 1, b: 1, c: 2, d: 2 },
  )
})

test('they work inside of lists whose other items change, unlike in Argo CD', () => {
  const spec = (...parameters: Fields[]) => ({ project: 'p', source: { helm: { parameters } } })
  const existing = spec({ name: 'image.tag', value: 'manual' }, { name: 'replicas', value: '1' })
  const generated = spec(
    { name: 'new', value: 'n' },
    { name: 'replicas', value: '2' },
    { name: 'image.tag', value: 'generated' },
  )
  const jqPathExpressions = ['.spec.source.helm.parameters[] | select(.name == "image.tag") | .value']
  assert.deepEqual(
    specAfter(existing, generated, { jqPathExpressions }),
    spec(
      { name: 'new', value: 'n' },
      { name: 'replicas', value: '2' },
      { name: 'image.tag', value: 'manual' },
    ),
  )
})

test('labels, annotations and finalizers can be ignored too', () => {
  const existing = application({ labels: { a: 'old' }, annotations: { 'x/y': 'old' }, finalizers: ['old'] })
  const generated = application({ labels: { a: 'new' } })
  const ignored = [
    {
      jsonPointers: ['/metadata/labels', '/metadata/annotations/x~1y'],
      jqPathExpressions: ['.metadata.finalizers[]'],
    },
  ]
  const set = setWith({ ignoreApplicationDifferences: ignored })
  assert.deepEqual(updatedApplication(existing, generated, set), existing)
})

test('nothing that is ignored changes name, namespace, project, kind or status', () => {
  const existing = application({ uid: 'x' }, { spec: { project: 'old', a: 1 }, status: { s: 1 } })
  const places = ['', '/name', '/namespace', '/uid']
  const jsonPointers = [
    ...places.map((place) => `/metadata${place}`),
    '/spec',
    '/spec/project',
    '/kind',
    '/status',
  ]
  const set = setWith({
    ignoreApplicationDifferences: [{ jsonPointers, jqPathExpressions: ['.[]', '.spec[]'] }],
  })
  const generated = application({}, { spec: { project: 'new', a: 2 }, status: { s: 2 } })
  assert.deepEqual(updatedApplication(existing, generated, set), {
    ...existing,
    spec: { project: 'new', a: 1 },
  })
  const { project: _, ...bare } = { project: 'x', a: 2 }
  assert.deepEqual(updatedApplication(existing, application({}, { spec: bare }), set).spec, { a: 1 })
})

test('what cannot be read is reported with its place, and there may be 50 places', () => {
  const errorsOf = (...ignored: unknown[]) => {
    try {
      setWith({ ignoreApplicationDifferences: ignored })
    } catch (error) {
      if (error instanceof InvalidInputError) return error.message.split('; ')
      throw error
    }
    return []
  }
  const errors = errorsOf(
    { jsonPointers: ['/spec/a', 'spec/b', 1], jqPathExpressions: ['.spec.a', 'input'] },
    'text',
    { name: 1 },
    { jsonPointer: [] },
  )
  assert.deepEqual(
    errors.flatMap((error) => /spec\.\S*[^\s;:]/.exec(error)?.[0] ?? []),
    [
      'spec.ignoreApplicationDifferences[3].jsonPointer',
      'spec.ignoreApplicationDifferences[0].jsonPointers[2]',
      'spec.ignoreApplicationDifferences[0].jsonPointers[1]',
      'spec.ignoreApplicationDifferences[0].jqPathExpressions[1]',
      'spec.ignoreApplicationDifferences[1]',
      'spec.ignoreApplicationDifferences[2].name',
    ],
  )
  const many = (count: number) => ({
    jsonPointers: Array.from({ length: count }, (_, index) => `/spec/${index}`),
  })
  assert.deepEqual(errorsOf(many(25), many(25)), [])
  assert.match(errorsOf(many(25), many(26))[0] ?? '', /names 51 places$/)
})
