import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kustomizationForm } from './kustomize-form.ts'

const overlay = `resources: [../base]
images: [{name: web, newTag: "1"}]
configMapGenerator: [{name: settings, behavior: merge, literals: [a=1]}]
patches:
- target: {kind: Deployment}
  patch: |-
    - op: replace
      path: /spec/replicas
      value: 2
`
const base = 'resources: [deployment.yaml]\n'
const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n'
const form = kustomizationForm([overlay, base], [deployment])

for (const [name, kustomizations, others] of [
  [
    'values',
    [overlay.replaceAll('"1"', '"2"').replace('a=1', 'b=2').replace('value: 2', 'value: 3'), base],
    [deployment],
  ],
  [
    'more of the same',
    [overlay.replace('a=1', 'a=1, b=2'), base.replace(']', ', deployment.yaml]')],
    [deployment, deployment],
  ],
  ['what a base has in its fields', [overlay, base], [`${deployment}spec: {replicas: 7}\n`]],
] as const) {
  test(`overlays that differ in ${name} ask the same of Kustomize`, () => {
    assert.equal(kustomizationForm(kustomizations, others), form)
  })
}

for (const [name, kustomizations, others] of [
  ['a field', [`${overlay}namePrefix: a-\n`, base], [deployment]],
  ['a field of a base', [overlay, `${base}namePrefix: a-\n`], [deployment]],
  ['a field of an entry', [overlay.replace('newTag', 'digest'), base], [deployment]],
  ['a behaviour', [overlay.replace('merge', 'replace'), base], [deployment]],
  ['an operation of a patch in place', [overlay.replace('value:', 'from:'), base], [deployment]],
  ['the type of a patched object', [overlay.replace('Deployment', 'Service'), base], [deployment]],
  ['a type of objects', [overlay, base], [deployment.replace('apps/v1', 'apps/v1beta1')]],
  ['a directive of a patch', [overlay, base], [`${deployment}$patch: delete\n`]],
] as const) {
  test(`${name} makes a kustomization another one`, () => {
    assert.notEqual(kustomizationForm(kustomizations, others), form)
  })
}
