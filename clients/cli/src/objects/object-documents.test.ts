import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { readObjectDocuments } from './object-documents.ts'

const places = (text: string) =>
  readObjectDocuments(text, 'sets.yaml').map(
    ({ manifest, place }) => `${manifestIdentity(manifest).kind} ${place()}`,
  )

test('documents, top-level lists and Lists in them give their objects, each with the line where it begins', () => {
  const text = `# first
apiVersion: v1
kind: A
---
---

- apiVersion: v1
  kind: B
- apiVersion: v1
  kind: AnyList
  items:
  - apiVersion: v1
    kind: C
  - {apiVersion: v1, kind: D}
---
apiVersion: v1
kind: List
items: []
`
  assert.deepEqual(places(text), ['A sets.yaml:2', 'B sets.yaml:7', 'C sets.yaml:12', 'D sets.yaml:14'])
  assert.deepEqual(places('[{"apiVersion": "v1", "kind": "A"},\n{"apiVersion": "v1", "kind": "B"}]'), [
    'A sets.yaml:1',
    'B sets.yaml:2',
  ])
  assert.deepEqual(places('# nothing\n'), [])
})

test('items of a list of one kind have its kind and apiVersion where they have neither, as kubectl reads them', () => {
  const text = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSetList
items:
- metadata: {name: a}
- kind: ""
  metadata: {name: b}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
---
{"apiVersion": "argoproj.io/v1alpha1", "kind": "AppProjectList", "items": null}
`
  const found = readObjectDocuments(text, 'sets.yaml').map(({ manifest, place }) => [
    manifest['apiVersion'],
    manifest['kind'],
    manifest['metadata'],
    place(),
  ])
  assert.deepEqual(found, [
    ['argoproj.io/v1alpha1', 'ApplicationSet', { name: 'a' }, 'sets.yaml:4'],
    ['argoproj.io/v1alpha1', 'ApplicationSet', { name: 'b' }, 'sets.yaml:5'],
    ['v1', 'ConfigMap', { name: 'c' }, 'sets.yaml:7'],
  ])
})

const errors: [string, string, RegExp][] = [
  ['text', '---\nwords\n', /^sets\.yaml:2: a Kubernetes object must be an object, not a string$/],
  ['a list in a list', '- [a]\n', /^sets\.yaml:1: a Kubernetes object must be an object, not a list$/],
  [
    'no kind',
    'a: b\n---\napiVersion: v1\n',
    /^sets\.yaml:1: a Kubernetes object needs the field kind, a string$/,
  ],
  [
    'a kind that is a number',
    'kind: 1\n',
    /^sets\.yaml:1: a Kubernetes object needs the field kind, a string$/,
  ],
  [
    'no apiVersion',
    '- kind: A\n',
    /^sets\.yaml:1: a Kubernetes object needs the field apiVersion, a string$/,
  ],
  [
    'an item with a kind and no apiVersion',
    'apiVersion: v1\nkind: AList\nitems:\n- kind: A\n',
    /^sets\.yaml:4: a Kubernetes object needs the field apiVersion, a string$/,
  ],
  [
    'an item of a List without a kind',
    'apiVersion: v1\nkind: List\nitems:\n- metadata: {}\n',
    /^sets\.yaml:4: a Kubernetes object needs the field kind, a string$/,
  ],
  [
    'a list whose items are an object',
    'apiVersion: v1\nkind: List\nitems:\n  a: b\n',
    /^sets\.yaml:4: items must be a list, not an object$/,
  ],
  ['bad indentation', 'kind: A\n  b: c\n', /^sets\.yaml:2: bad indentation/],
  ['an inherited field', '{"__proto__": {"kind": "A"}}', /^sets\.yaml:1: .*needs the field kind/],
]
for (const [what, text, message] of errors) {
  test(`${what} is refused with its line`, () => {
    assert.throws(() => readObjectDocuments(text, 'sets.yaml'), { message })
  })
}

test('a command that was copied together with its file is named as what it is', () => {
  const text = `---
apiVersion: v1
kind: A
---
apiVersion: v1
kind: B

# Create the above ApplicationSet
argocd appset create cluster-addons.yaml
`
  assert.throws(() => readObjectDocuments(text, 'sets.yaml'), {
    message:
      'sets.yaml:9: "argocd appset create cluster-addons.yaml" is a command, not YAML; delete that line, or put # in front of it',
  })
})
