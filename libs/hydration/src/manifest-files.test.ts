import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultLayout, type Layout } from '@wadi/resources/application/layout.ts'
import { joinedManifests, manifestFiles, recordedManifestFiles } from './manifest-files.ts'

const perObject: Layout = { files: 'file-per-object', crds: 'include' }

interface ObjectParts {
  kind?: unknown
  name?: string
  namespace?: string
  apiVersion?: string
  generateName?: string
}

function object({ kind = 'ConfigMap', apiVersion = 'v1', ...metadata }: ObjectParts): string {
  return JSON.stringify({ apiVersion, kind, metadata })
}

function namesOf(...objects: ObjectParts[]): string[] {
  return manifestFiles(objects.map(object), perObject, []).map(({ name }) => name)
}

const crd = object({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  name: 'a.example.com',
})

test('a file is named by kind and name in lower case', () => {
  assert.deepEqual(namesOf({ kind: 'Deployment', name: 'web' }, { kind: 'Service', name: 'web.v1' }), [
    'deployment-web.yaml',
    'service-web.v1.yaml',
  ])
})

test('of equal names each is named by its namespace, then by its group, whatever the order', () => {
  const ofNamespace = { name: 'web', namespace: 'b' }
  const clusterWide = { name: 'web' }
  assert.deepEqual(namesOf(clusterWide, { name: 'web', namespace: 'a' }, ofNamespace, { name: 'db' }), [
    'configmap-web.yaml',
    'a_configmap-web.yaml',
    'b_configmap-web.yaml',
    'configmap-db.yaml',
  ])
  const groups = ['networking.k8s.io', 'extensions'].map((group) => ({
    kind: 'Ingress',
    apiVersion: `${group}/v1`,
    name: 'web',
    namespace: 'a',
  }))
  assert.deepEqual(namesOf(...groups), [
    'a_ingress.networking.k8s.io-web.yaml',
    'a_ingress.extensions-web.yaml',
  ])
})

test('names that differ in case or in letters that file systems refuse are told apart by a digest', () => {
  const roles = ['system:web', 'system-web', 'SYSTEM:web'].map((name) => ({ kind: 'ClusterRole', name }))
  const names = namesOf(...roles)
  assert.equal(new Set(names).size, 3)
  for (const name of names) assert.match(name, /^clusterrole-system-web-[0-9a-f]{12}\.yaml$/)
  assert.deepEqual(namesOf(...roles.toReversed()), names.toReversed())
  assert.deepEqual(namesOf({ kind: 'ClusterRole', name: 'system:web' }), ['clusterrole-system-web.yaml'])
})

test('one object that is there twice has two files', () => {
  const [first = '', second = ''] = namesOf({ name: 'web' }, { name: 'web' })
  assert.match(first, /^configmap-web-[0-9a-f]{12}\.yaml$/)
  assert.equal(second, first.replace('.yaml', '-2.yaml'))
})

test('no name is hidden, a device, a directory, long, or that of a file of Wadi', () => {
  const odd = [
    { kind: '', name: '' },
    { kind: 7, name: '../../etc/passwd' },
    { kind: 'CON', name: 'x', namespace: 'con.x' },
    { kind: 'CON', name: 'x', namespace: '...' },
    { kind: 'Pod', generateName: 'job-' },
    { kind: 'Ä', name: 'ä.' },
    { kind: 'manifest', name: '' },
    { kind: 'K'.repeat(300), name: 'n'.repeat(300) },
    { kind: 'K'.repeat(300), name: 'm'.repeat(300) },
  ]
  const names = namesOf(...odd)
  assert.equal(new Set(names).size, odd.length)
  for (const name of names) assert.match(name, /^[a-z0-9]+[a-z0-9_]*[.a-z0-9]*-[a-z0-9._-]{1,160}\.yaml$/)
  assert.ok(names.includes('pod-job.yaml'))
  assert.deepEqual(recordedManifestFiles(names), names)
})

test('definitions of kinds have a file of their own, are like other objects, or are left out', () => {
  const texts = [object({ name: 'a' }), crd]
  const files = (layout: Layout) =>
    manifestFiles(texts, layout, []).map(({ name, manifests }) => [name, ...manifests])
  assert.deepEqual(files(defaultLayout), [['manifest.yaml', ...texts]])
  assert.deepEqual(files({ files: 'one-file', crds: 'separate' }), [
    ['crds.yaml', crd],
    ['manifest.yaml', texts[0]],
  ])
  assert.deepEqual(files({ files: 'one-file', crds: 'omit' }), [['manifest.yaml', texts[0]]])
  assert.deepEqual(files({ files: 'file-per-object', crds: 'separate' }), [
    ['crds.yaml', crd],
    ['configmap-a.yaml', texts[0]],
  ])
})

test('the layout of Argo CD has the objects in the order in which the tool printed them', () => {
  const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((name) => object({ name }))
  const files = (layout: Layout) =>
    manifestFiles([a, b, c, crd], layout, [2, 0, 3, 1]).map(({ name, manifests }) => [name, ...manifests])
  assert.deepEqual(files({ files: 'as-argo-cd', crds: 'include' }), [['manifest.yaml', b, crd, a, c]])
  assert.deepEqual(files({ files: 'as-argo-cd', crds: 'separate' }), [
    ['crds.yaml', crd],
    ['manifest.yaml', b, a, c],
  ])
  assert.deepEqual(files(defaultLayout), [['manifest.yaml', a, b, c, crd]])
  const unknown = manifestFiles([a, b], { files: 'as-argo-cd', crds: 'include' }, [])
  assert.deepEqual(unknown, [{ name: 'manifest.yaml', manifests: [a, b] }])
})

test('without objects there is an empty manifest.yaml, or no file', () => {
  assert.deepEqual(manifestFiles([], { files: 'one-file', crds: 'omit' }, []), [
    { name: 'manifest.yaml', manifests: [] },
  ])
  assert.deepEqual(manifestFiles([], { files: 'file-per-object', crds: 'separate' }, []), [])
})

test('5,000 objects of one name in 5,000 namespaces take as much work for each as 50 do', (t) => {
  const workOf = (count: number) => {
    const objects = Array.from({ length: count }, (_, index) => ({ name: 'web', namespace: `n${index}` }))
    const spelling = t.mock.method(String.prototype, 'toLowerCase')
    const grouping = t.mock.method(Map, 'groupBy')
    assert.equal(new Set(namesOf(...objects)).size, count)
    const work = { spelledOfEach: spelling.mock.callCount() / count, groupings: grouping.mock.callCount() }
    t.mock.restoreAll()
    return work
  }
  assert.deepEqual(workOf(5_000), workOf(50))
})

test('a record names files that Wadi writes, and nothing else', () => {
  assert.deepEqual(recordedManifestFiles(undefined), ['manifest.yaml'])
  const listed = ['service-web.yaml', '../x.yaml', 'a/b.yaml', '.x.yaml', 'README.md', 7, 'service-web.yaml']
  assert.deepEqual(recordedManifestFiles(listed), ['service-web.yaml'])
})

test('files are one text again, that of a single one as it is', () => {
  assert.equal(joinedManifests(['a: 1\n', '', 'b: 2']), 'a: 1\n---\nb: 2\n')
  assert.equal(joinedManifests(['a: 1']), 'a: 1')
  assert.equal(joinedManifests([]), '')
})
