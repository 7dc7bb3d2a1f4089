import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlaces } from './finding-places.ts'

const plain = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
      containers:
        - name: a
        - name: b
          image: web
`

const list = `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: one}
    data:
      app.yaml: "1"
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: two}
`

const template = `{{- if .Values.web }}
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
{{- end }}
`

const texts = [
  { file: 'app/plain.yaml', text: plain },
  { file: 'app/list.yaml', text: list },
  { file: 'chart/templates/web.yaml', text: template },
]

function placeOf(file: string | undefined, kind: string, name: string, field: string, ...written: string[]) {
  const group = kind === 'Deployment' ? 'apps' : ''
  const object = { group, version: 'v1', kind, namespace: 'shop', name }
  const [place] = findPlaces(texts, [{ written, object, field, file }])
  return place === undefined ? undefined : `${place.file}:${place.line ?? ''}`
}

test('a finding without a value that is written once is at its field, or what is there on the way to it', () => {
  const deployment = (field: string) => placeOf('app/plain.yaml', 'Deployment', 'web', field)
  assert.equal(deployment('spec.template.spec.containers[1].image'), 'app/plain.yaml:17')
  assert.equal(deployment('spec.template.spec.containers[0].image'), 'app/plain.yaml:15')
  assert.equal(deployment('spec.replicas'), 'app/plain.yaml:11')
  assert.equal(deployment('spec.selector'), 'app/plain.yaml:10')
  assert.equal(deployment(''), 'app/plain.yaml:6')
  assert.equal(placeOf('app/list.yaml', 'ConfigMap', 'one', 'data.app.yaml'), 'app/list.yaml:8')
  assert.equal(placeOf('app/list.yaml', 'ConfigMap', 'two', 'data'), 'app/list.yaml:9')
})

test('an object that a kustomization renames is the only one of its kind', () => {
  assert.equal(placeOf('app/plain.yaml', 'Service', 'dev-web', 'spec'), 'app/plain.yaml:4')
  assert.equal(placeOf('app/list.yaml', 'ConfigMap', 'dev-two', 'data'), 'app/list.yaml:')
})

test('in a template it is at the kind, and in an unknown file nowhere', () => {
  const file = 'chart/templates/web.yaml'
  assert.equal(placeOf(file, 'Deployment', 'shop', 'spec.replicas'), `${file}:3`)
  assert.equal(placeOf(file, 'Service', 'shop', 'spec'), `${file}:`)
  assert.equal(placeOf('chart/packed.yaml', 'Service', 'shop', 'spec'), 'chart/packed.yaml:')
  assert.equal(placeOf(undefined, 'Service', 'shop', 'spec'), undefined)
})

test('a value that is written once is the place, whatever file the object is from', () => {
  assert.equal(placeOf(undefined, 'Service', 'web', 'spec', 'replicas'), 'app/plain.yaml:11')
  assert.equal(placeOf('app/list.yaml', 'ConfigMap', 'one', '', 'image: web'), 'app/plain.yaml:17')
})
