import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldFindings } from './field-findings.ts'

const application = (spec: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, labels: {team: shop}}
spec:
${spec}`

test('an object with known fields of their types has no findings', () => {
  const text = application(`  project: default
  destination: {server: https://kubernetes.default.svc, namespace: web}
  syncPolicy: {automated: {prune: true}, retry: {limit: 3}}
  sourceHydrator:
    drySources:
      - {repoURL: https://git.example.com/a.git, chart: web, ref: values, helm: {valuesObject: {any: [1]}}}
    syncSource: {targetBranch: environments/dev, path: web}
`)
  assert.deepEqual(fieldFindings(text, 'Application'), [])
})

test('unknown fields and wrong types are named with their lines', () => {
  const text = application(`  project: 7
  sourceHydrator:
    drySorce: {}
    syncSource:
      path: [web]
  info:
    - {name: a, valeu: b}
`)
  assert.deepEqual(fieldFindings(text, 'Application'), [
    { line: 5, message: 'spec.project must be a string, not a number' },
    { line: 7, message: 'unknown field spec.sourceHydrator.drySorce; did you mean drySource?' },
    { line: 9, message: 'spec.sourceHydrator.syncSource.path must be a string, not a list' },
    { line: 11, message: 'unknown field spec.info[0].valeu; did you mean value?' },
  ])
})

test('templates of a set may become any value, and generators nest', () => {
  const text = `kind: ApplicationSet
spec:
  generators:
    - matrix:
        generators:
          - git: {repoURL: a, directories: [{path: '*'}]}
          - matrix: {generators: [{list: {elements: [{a: 1}]}}, {gti: {}}]}
  template:
    spec:
      revisionHistoryLimit: '{{limit}}'
`
  assert.deepEqual(fieldFindings(text, 'ApplicationSet'), [
    {
      line: 7,
      message:
        'unknown field spec.generators[0].matrix.generators[1].matrix.generators[1].gti; did you mean git?',
    },
  ])
})

test('what is no YAML, empty or no object has no findings', () => {
  for (const text of ['', 'a: [', '- a', 'text', `a: ${'['.repeat(200)}`])
    assert.deepEqual(fieldFindings(text, 'AppProject'), [], text)
})

test('a long list of errors ends', () => {
  const text = `kind: AppProject\n${Array.from({ length: 500 }, (_, index) => `x${index}: 1\n`).join('')}`
  assert.equal(fieldFindings(text, 'AppProject').length, 50)
})
